import { isSafePath } from '../../catalog/revision.ts';
import { byCodeUnit, canonicalJson, type Json } from '../../core/canonical-json.ts';
import { digestOf, hexOf } from '../../core/digest.ts';
import { newId } from '../../core/ids.ts';
import { RUN_LIMITS } from '../../core/limits.ts';
import type { Problem } from '../../core/problem.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { ModelChoice } from '../../model/model-choice.ts';
import { chooseModel } from '../../model/choose-model.ts';
import { effectiveTools } from '../../policy/effective-tools.ts';
import { resolveTools } from '../../policy/grants.ts';
import { expandCode, expandPrompt } from '../../prompt/expand.ts';
import { fillToolRules } from '../../prompt/fill-tool-rules.ts';
import { shellBlocks } from '../../prompt/shell-blocks.ts';
import { promptWithBaseDirectory } from '../../prompt/inline-messages.ts';
import type { BlobStore } from '../../view/ports.ts';
import type { Principal } from '../../view/principal.ts';
import { lowestLimits, type WantedRunLimits } from '../../view/settings/run-limits.ts';
import type { View } from '../../view/view.ts';
import { agentNamed } from './agent.ts';
import { commandsOf } from '../render/decide-commands.ts';
import type { PreparedSkill } from '../prepare-skill.ts';
import { promptInput, type PromptRequest } from '../render/prompt-input.ts';
import { notRun } from '../render/render-skill.ts';
import { noteUnregistered, serversForRun } from './run-servers.ts';
import { type ResultSchema, schemaProblem } from './result-schema.ts';
import type { ClientTool, Runs, RunStart, RunTools, RunView } from './run-contract.ts';
import { checkTools, disallowed, RUN_TOOLS, runHooks, runTools } from './run-tools.ts';
import { runSystem } from './run-system.ts';
import { sandboxDirectory } from '../render/sandbox-directory.ts';
import type { UseLog } from '../skill-use.ts';

export interface RunRequest extends PromptRequest {
  /** The model that the caller insists on; null: the skill's, or the organisation's default. */
  readonly model: string | null;
  /** Tool patterns that the caller lends to the run; null: the sandboxed tools. */
  readonly grants: readonly string[] | null;
  /** Tools of the host, which make the run wait for it. */
  readonly clientTools: readonly ClientTool[];
  readonly limits: WantedRunLimits;
  /** How long it waits for a person or the host; null: as long as any. */
  readonly actionMilliseconds: number | null;
  /** What the result has to be; null: as the skill says. */
  readonly resultSchema: ResultSchema | null;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
  /** Equal keys of tokens with one label and the same bounds are one run. */
  readonly idempotencyKey: string | null;
  /** Of a run that starts another one. */
  readonly parent?: ParentRun;
}

/** A run that uses a skill which forks. */
export interface ParentRun {
  readonly id: string;
  /** What the new run is called: the same whenever the same call is made. */
  readonly child: string;
  readonly ancestors: readonly string[];
  readonly model: ModelChoice;
}

export interface RunPorts {
  readonly runs: Runs;
  readonly uses: UseLog;
  readonly blobs: BlobStore;
}

/** Starts a forked run of a skill that was decided on. The run is durable when this returns. */
export async function startRun(
  { runs, uses, blobs }: RunPorts,
  principal: Principal,
  view: View,
  skill: PreparedSkill,
  request: RunRequest,
): Promise<Result<RunView>> {
  const problem = checkFiles(request.files) ?? checkTools(request.clientTools);
  if (problem) return fail(problem);
  const { found, details } = skill;
  const { fields } = details.report;
  const directory = sandboxDirectory(skill);
  const input = promptInput(skill, directory, request);
  // Inline commands are for a conversation; a run has its steps.
  const expansion = expandPrompt(details.body, input, commandsOf(skill, request.mode).map(notRun));
  // A prompt of an MCP server is somebody else's text: no shell runs for it, not even in the sandbox.
  const shell = found.entry.kind !== 'mcp-prompt';
  const blocks = shell ? shellBlocks(details.body) : [];
  const agent = agentNamed(fields.agent, view.settings);
  const preferred = [fields.model, agent.model];
  const inherited = request.parent?.model ?? null;
  const model = chooseModel(view.settings.models, request.model, preferred, inherited);
  if (!model.ok) return model;
  const tools = runTools(shell ? fillToolRules(fields.allowedTools, input) : null, agent, request);
  const needed = resolveTools(fields.requires?.tools ?? [], request.grants ?? RUN_TOOLS).missing;
  if (needed.length > 0) return fail(toolsMissing(needed));
  const { mcpServers } = view.settings;
  const schema = resultSchemaOf(skill, request);
  if (!schema.ok) return schema;
  const limits = lowestLimits(agent.limits, request.limits);
  if (limits.cost !== null && !hasPrices(model.value)) return fail(noPrices());
  const system = await runSystem(blobs, view, agent, tools, model.value);
  if (!system.ok) return system;
  const start: RunStart = {
    version: 2,
    id: request.parent?.child ?? runOfKey(principal, request.idempotencyKey) ?? newId('run'),
    organisation: principal.organisation,
    skill: {
      name: found.entry.name,
      layer: found.layer.layer,
      revision: found.entry.revision,
      directory,
      files: details.revision.files,
    },
    agent: { name: agent.name, system: system.value, effort: request.effort ?? fields.effort },
    prompt: promptWithBaseDirectory(directory, expansion.text),
    steps: blocks.map((block) => expandCode(block, input)),
    model: model.value,
    tools: noteDenied(view, noteUnregistered(tools, mcpServers)),
    mcpServers: serversForRun(mcpServers, tools),
    clientTools: [...request.clientTools],
    limits,
    waitMilliseconds: request.actionMilliseconds ?? RUN_LIMITS.defaultActionMilliseconds,
    resultSchema: schema.value,
    hooks: runHooks(skill, directory, request),
    rules: [...view.rules, ...disallowed(fields.disallowedTools)],
    settings: { hooks: view.settings.hooks, events: view.settings.events },
    parent: request.parent?.id ?? null,
    ancestors: [...(request.parent?.ancestors ?? []), `${found.layer.layer}/${found.entry.name}`],
    scope: view.layers.map(({ layer }) => layer),
    states: view.states.filter((states) => states !== view.settings.states),
    files: [...request.files],
    boundTo: principal.layers === null ? null : [...principal.layers],
    startedBy: principal.label,
    actor: principal.actor,
    fingerprint: fingerprint(`${found.layer.layer}/${found.entry.name}`, view, request),
  };
  const run = await runs.start(start);
  // Of the time that the run was made: joining one that is there already is no further use.
  if (run.ok) {
    const { layer, name } = start.skill;
    uses.record(start.organisation, { layer, name, at: Date.parse(run.value.createdAt) });
  }
  return run;
}

/** What the rules deny, whatever was declared and granted, is missing as well. */
function noteDenied(view: View, tools: RunTools): RunTools {
  const { granted } = resolveTools(tools.declared, tools.granted);
  const { withheld } = effectiveTools(granted, null, view.compiledRules);
  const denied = withheld.flatMap(({ pattern, decision }) => (decision === 'deny' ? [pattern] : []));
  return { ...tools, missing: [...new Set([...tools.missing, ...denied])] };
}

/** The run that calls with this key start, whoever is first; null without a key. */
export function runOfKey(principal: Principal, key: string | null): string | null {
  if (key === null) return null;
  const digest = digestOf(canonicalJson([principal.organisation, principal.label, principal.layers, key]));
  return `run_${hexOf(digest).slice(0, 26)}`;
}

/** Of what was asked for. A repeat is one whatever became of the skill since, as its caller cannot know of that. */
function fingerprint(skill: string, { rules }: View, request: RunRequest): RunStart['fingerprint'] {
  const files = request.files
    .map(({ path, content }) => [path, digestOf(content)])
    .toSorted((left, right) => byCodeUnit(left[0] ?? '', right[0] ?? ''));
  return digestOf(
    canonicalJson({
      skill,
      args: request.args ?? '',
      session: request.session,
      mode: request.mode,
      effort: request.effort,
      model: request.model,
      projectDirectory: request.projectDirectory,
      grants: request.grants,
      clientTools: JSON.stringify(request.clientTools),
      limits: JSON.stringify(request.limits),
      actionMilliseconds: request.actionMilliseconds,
      resultSchema: JSON.stringify(request.resultSchema),
      plugin: JSON.stringify(request.plugin),
      rules: rules.flatMap(({ layer, effect, pattern }) => (layer === 'call' ? [[effect, pattern]] : [])),
      files,
    }),
  );
}

/** What the skill says of its result, unless the caller does. */
function resultSchemaOf(skill: PreparedSkill, request: RunRequest): Result<RunStart['resultSchema']> {
  const { result_schema: own } = skill.details.report.frontmatter;
  const schema = request.resultSchema ?? (isSchema(own) ? own : null);
  const problem = schema === null ? null : schemaProblem(schema);
  if (problem === null) return ok(schema === null ? null : { ...schema });
  return fail({
    code: 'run_refused',
    detail: `the schema of the result cannot be used: ${problem}`,
    hint: 'Write a JSON Schema of types, properties, items, enums and references that do not lead back to themselves.',
    at: 'resultSchema',
  });
}

function isSchema(value: Json | undefined): value is ResultSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasPrices(model: ModelChoice): boolean {
  return model.engine === 'runbook' || model.prices !== null;
}

function noPrices(): Problem {
  return {
    code: 'run_refused',
    detail: 'a limit of cost needs the prices of the model',
    hint: 'Set prices for it in models.providers of the settings, or leave the limit out.',
    at: 'limits.cost',
  };
}

function toolsMissing(missing: readonly string[]): Problem {
  return {
    code: 'skill_requirement_missing',
    detail: `the skill needs tools that are not granted: ${missing.join(', ')}`,
    hint: 'Name them in grants.',
    data: { missing },
  };
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
