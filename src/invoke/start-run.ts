import { isSafePath } from '../catalog/revision.ts';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import { digestOf, hexOf } from '../core/digest.ts';
import { newId } from '../core/ids.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, type Result } from '../core/result.ts';
import { chooseModel } from '../model/choose-model.ts';
import { resolveTools } from '../policy/grants.ts';
import { expandCode, expandPrompt } from '../prompt/expand.ts';
import { fillToolRules } from '../prompt/fill-tool-rules.ts';
import { shellBlocks } from '../prompt/shell-blocks.ts';
import { promptWithBaseDirectory } from '../prompt/inline-messages.ts';
import type { Principal } from '../view/principal.ts';
import type { View } from '../view/view.ts';
import { commandsOf } from './decide-commands.ts';
import type { PreparedSkill } from './prepare-skill.ts';
import { promptInput, type PromptRequest } from './prompt-input.ts';
import { notRun } from './render-skill.ts';
import type { Runs, RunStart, RunView } from './run-contract.ts';
import { sandboxDirectory } from './sandbox-directory.ts';
import type { UseLog } from './skill-use.ts';

export interface RunRequest extends PromptRequest {
  /** The model that the caller insists on; null: the skill's, or the organisation's default. */
  readonly model: string | null;
  /** Tool patterns that the caller lends to the run; null: the sandboxed tools. */
  readonly grants: readonly string[] | null;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
  /** Equal keys of tokens with one label and the same bounds are one run. */
  readonly idempotencyKey: string | null;
}

export interface RunPorts {
  readonly runs: Runs;
  readonly uses: UseLog;
}

/** What a run can use without anybody's grant: no network, and only its own workspace. */
const SANDBOX_TOOLS: readonly string[] = ['Bash'];

/** Starts a forked run of a skill that was decided on. The run is durable when this returns. */
export async function startRun(
  { runs, uses }: RunPorts,
  principal: Principal,
  view: View,
  skill: PreparedSkill,
  request: RunRequest,
): Promise<Result<RunView>> {
  const problem = checkFiles(request.files);
  if (problem) return fail(problem);
  const { found, details } = skill;
  const { fields } = details.report;
  const directory = sandboxDirectory(skill);
  const model = chooseModel(view.settings.models, request.model, [fields.model]);
  if (!model.ok) return model;
  const input = promptInput(skill, directory, request);
  // Inline commands are for a conversation; a run has its steps.
  const expansion = expandPrompt(details.body, input, commandsOf(skill, request.mode).map(notRun));
  // A prompt of an MCP server is somebody else's text: no shell runs for it, not even in the sandbox.
  const shell = found.entry.kind !== 'mcp-prompt';
  const blocks = shell ? shellBlocks(details.body) : [];
  const asked = fields.allowedTools.length > 0 ? fillToolRules(fields.allowedTools, input) : SANDBOX_TOOLS;
  const declared = shell ? asked : [];
  const grants = request.grants ?? SANDBOX_TOOLS;
  const start: RunStart = {
    version: 1,
    id: runId(principal, request.idempotencyKey),
    organisation: principal.organisation,
    skill: {
      name: found.entry.name,
      layer: found.layer.layer,
      revision: found.entry.revision,
      directory,
      files: details.revision.files,
    },
    prompt: promptWithBaseDirectory(directory, expansion.text),
    steps: blocks.map((block) => expandCode(block, input)),
    engine: model.value.engine,
    model: model.value,
    tools: { declared: [...declared], granted: [...grants], missing: resolveTools(declared, grants).missing },
    rules: [...view.rules],
    files: [...request.files],
    boundTo: principal.layers === null ? null : [...principal.layers],
    startedBy: principal.label,
    fingerprint: fingerprint(found.entry.revision, request),
  };
  const run = await runs.start(start);
  // Of the time that the run was made: joining one that is there already is no further use.
  if (run.ok) {
    const { layer, name } = start.skill;
    uses.record(start.organisation, { layer, name, at: Date.parse(run.value.createdAt) });
  }
  return run;
}

function runId(principal: Principal, key: string | null): string {
  if (key === null) return newId('run');
  const digest = digestOf(canonicalJson([principal.organisation, principal.label, principal.layers, key]));
  return `run_${hexOf(digest).slice(0, 26)}`;
}

function fingerprint(revision: string, request: RunRequest): RunStart['fingerprint'] {
  const files = request.files
    .map(({ path, content }) => [path, digestOf(content)])
    .toSorted((left, right) => byCodeUnit(left[0] ?? '', right[0] ?? ''));
  return digestOf(
    canonicalJson({
      revision,
      args: request.args ?? '',
      session: request.session,
      mode: request.mode,
      effort: request.effort,
      model: request.model,
      projectDirectory: request.projectDirectory,
      grants: request.grants,
      plugin: JSON.stringify(request.plugin),
      files,
    }),
  );
}

function checkFiles(files: RunRequest['files']): Problem | null {
  if (files.length > RUN_LIMITS.files) return badFile(`more than ${RUN_LIMITS.files} files`);
  const paths = new Set<string>();
  for (const { path, content } of files) {
    if (!isSafePath(path))
      return badFile(`"${path.slice(0, 100).toWellFormed()}" is not a path inside the workspace`);
    if (content.length > RUN_LIMITS.fileBytes)
      return badFile(`${path} has ${content.length} bytes, more than ${RUN_LIMITS.fileBytes}`);
    if (paths.has(path)) return badFile(`${path} is there twice`);
    paths.add(path);
  }
  return null;
}

function badFile(detail: string): Problem {
  return {
    code: 'bad_request',
    detail,
    hint: 'Each of files[] needs a relative path of its own and text or base64.',
  };
}
