import { skillUrl } from '../catalog/skill-url.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Substitution } from '../prompt/expand.ts';
import { type EffectiveTools, effectiveTools } from '../policy/effective-tools.ts';
import { fillToolRules } from '../prompt/fill-tool-rules.ts';
import { inlineMessages, type Message } from '../prompt/inline-messages.ts';
import type { SkillFields } from '../format/fields/skill-fields.ts';
import type { Principal } from '../view/principal.ts';
import { requireScope } from '../view/principal.ts';
import type { View } from '../view/view.ts';
import { commandsOf } from './render/decide-commands.ts';
import type { SkillQuestion } from './decide-skill.ts';
import { mayHaveHooks } from '../hook/hook-contract.ts';
import { type InvokePorts, type PendingSkill, type PreparedSkill, prepareSkill } from './prepare-skill.ts';
import { resolveModel } from '../model/model-alias.ts';
import { noteInvocation } from './sessions/note-invocation.ts';
import { promptInput } from './render/prompt-input.ts';
import { invocationChanged, type Rendering, type RenderRequest, renderSkill } from './render/render-skill.ts';
import type { RunView } from './runs/run-contract.ts';
import type { SessionScene } from './sessions/session-scene.ts';
import type { SkillShell } from './render/shell-contract.ts';
import { forkSkill } from './runs/run-skill.ts';
import { runOfKey, type RunPorts, type RunRequest } from './runs/start-run.ts';

export interface InvokeRequest extends SkillQuestion, RunRequest, RenderRequest {
  readonly approvalId: string | null;
  /** The caller's label. */
  readonly agent: string;
  /** Where the host has the skill's files; without it they are reached as `skill://NAME/PATH`. */
  readonly baseDirectory: string | null;
}

/** How long a change of the host's context lasts: until the turn ends. */
type Lasting<Value> = { readonly value: Value; readonly lasts: 'turn' | 'session' };

/** What the host should change while it follows the skill. Data, never an effect of ours. */
export interface ContextModifier {
  readonly allowedTools: Lasting<readonly string[]> | null;
  readonly disallowedTools: Lasting<readonly string[]> | null;
  readonly model: Lasting<string> | null;
  readonly effort: Lasting<NonNullable<SkillFields['effort']>> | null;
  readonly hooks: Lasting<NonNullable<SkillFields['hooks']>> | null;
}

export interface InlineInvocation {
  readonly kind: 'inline';
  readonly skill: PreparedSkill;
  readonly messages: readonly Message[];
  readonly contextModifier: ContextModifier;
  /** What the skill declares, and what of it the caller's grants and the rules leave. */
  readonly tools: EffectiveTools;
  /** Parts of the message `skill_body` that its author did not write. */
  readonly substitutions: readonly Substitution[];
  /** False where a bound on inserted text was met, and placeholders are left. */
  readonly complete: boolean;
  readonly requires: readonly 'shell'[];
  /** The instructions without what they are wrapped in. */
  readonly content: string;
  /** True where a session has them already, and the message only says so. */
  readonly alreadyLoaded: boolean;
}

/** The host has to run these commands, and make the call again with what came of them. */
export interface ShellInvocation {
  readonly kind: 'shell';
  readonly skill: PreparedSkill;
  readonly request: Extract<Rendering, { readonly kind: 'shell' }>;
}

export type Invocation = InlineInvocation | ShellInvocation | PendingSkill | ForkedInvocation;

export interface ForkedInvocation {
  readonly kind: 'forked';
  readonly run: RunView;
  /** What the skill says of it: whether its caller goes on meanwhile. */
  readonly background: boolean;
}

/** Uses a skill: inline as messages and a context modifier, forked as a run, or as a question to a person or a host. */
export async function invokeSkill(
  ports: InvokePorts & RunPorts & { readonly shell: SkillShell },
  principal: Principal,
  view: View,
  request: InvokeRequest,
  session: SessionScene | null,
): Promise<Result<Invocation>> {
  const prepared = await prepareSkill(ports, view, request, request.approvalId, session, (skill) =>
    waitsForHost(skill, request)
      ? { kind: 'look' }
      : { kind: 'use', run: isInline(skill) ? null : runOfKey(principal, request.idempotencyKey) },
  );
  if (!prepared.ok) return prepared;
  if (prepared.value.kind === 'ask') return ok(prepared.value);
  if (isInline(prepared.value)) {
    const invocation = await inline(ports.shell, view, prepared.value, request);
    if (!invocation.ok || invocation.value.kind !== 'inline') return invocation;
    const noted = session
      ? await noteInvocation(ports.sessions, session, invocation.value, request)
      : ok(invocation.value);
    if (!noted.ok) return noted;
    const { layer, entry } = prepared.value.found;
    ports.uses.record(view.organisation, { layer: layer.layer, name: entry.name, at: Date.now() });
    return noted;
  }
  if (request.outputs !== null) return fail(invocationChanged());
  const refused = requireScope(principal, 'runs:start');
  if (refused) return fail(refused);
  return forkSkill(ports, principal, view, prepared.value, request);
}

function isInline(skill: PreparedSkill): boolean {
  return skill.details.report.fields.context === 'inline';
}

/** This call only lists commands, and the next one has the effect. */
function waitsForHost(skill: PreparedSkill, { shell, outputs, mode }: RenderRequest): boolean {
  return shell === 'client' && outputs === null && isInline(skill) && commandsOf(skill, mode).length > 0;
}

async function inline(
  shell: SkillShell,
  view: View,
  skill: PreparedSkill,
  request: InvokeRequest,
): Promise<Result<InlineInvocation | ShellInvocation>> {
  const { entry, layer } = skill.found;
  const { fields } = skill.details.report;
  const directory = request.baseDirectory ?? skillUrl(entry.name);
  const input = promptInput(skill, directory, request);
  const rendered = await renderSkill(shell, view, skill, input, request);
  if (!rendered.ok) return rendered;
  if (rendered.value.kind === 'shell') return ok({ kind: 'shell', skill, request: rendered.value });
  const { expansion, requires } = rendered.value;
  const { messages, substitutions, content } = inlineMessages({
    name: entry.name,
    body: expansion.text,
    substitutions: expansion.substitutions,
    baseDirectory: request.baseDirectory ?? `${directory}/`,
    args: request.args,
  });
  const declared = fillToolRules(fields.allowedTools, input);
  const tools = effectiveTools(declared, boundOf(skill, request.grants), view.compiledRules);
  const disallowedTools = [...new Set([...fields.disallowedTools, ...tools.except])];
  return ok({
    kind: 'inline',
    skill,
    messages,
    contextModifier: {
      allowedTools: forTurn(tools.effective.length > 0 ? tools.effective : null),
      disallowedTools: forTurn(disallowedTools.length > 0 ? disallowedTools : null),
      model: forTurn(fields.model === null ? null : resolveModel(fields.model, view.settings.models.aliases)),
      effort: forTurn(fields.effort),
      hooks:
        fields.hooks !== null && mayHaveHooks(layer.layer, entry.trust)
          ? { value: fields.hooks, lasts: 'session' }
          : null,
    },
    tools,
    substitutions,
    complete: expansion.complete,
    requires,
    content,
    alreadyLoaded: false,
  });
}

/**
 * What a stranger's skill declares counts only as far as its caller grants it, or a person was shown it and said yes: a rule
 * that allows the skill has not looked at its tools.
 */
function boundOf(
  { found, answer }: PreparedSkill,
  grants: readonly string[] | null,
): readonly string[] | null {
  const { kind, trust } = found.entry;
  const foreign = trust === 'community' || kind === 'mcp-prompt';
  return grants ?? (foreign && answer.decision.decision === 'allow' ? [] : null);
}

function forTurn<Value>(value: Value | null): Lasting<Value> | null {
  return value === null ? null : { value, lasts: 'turn' };
}
