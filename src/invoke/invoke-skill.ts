import { fail, ok, type Result } from '../core/result.ts';
import { expandPrompt, type Substitution } from '../prompt/expand.ts';
import { inlineMessages, type Message } from '../prompt/inline-messages.ts';
import type { SkillFields } from '../format/skill-fields.ts';
import type { Principal } from '../view/principal.ts';
import { requireScope } from '../view/principal.ts';
import type { View } from '../view/view.ts';
import type { SkillQuestion } from './decide-skill.ts';
import { mayHaveHooks } from './hook-contract.ts';
import { type InvokePorts, type PendingSkill, type PreparedSkill, prepareSkill } from './prepare-skill.ts';
import { promptVariables } from './prompt-variables.ts';
import type { RunView } from './run-contract.ts';
import { type RunPorts, type RunRequest, startRun } from './start-run.ts';

export interface InvokeRequest extends SkillQuestion, RunRequest {
  readonly approvalId: string | null;
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
  readonly substitutions: readonly Substitution[];
}

export type Invocation = InlineInvocation | PendingSkill | { readonly kind: 'forked'; readonly run: RunView };

/** Uses a skill: inline as messages and a context modifier, forked as a run, or as a question to a person. */
export async function invokeSkill(
  ports: InvokePorts & RunPorts,
  principal: Principal,
  view: View,
  request: InvokeRequest,
): Promise<Result<Invocation>> {
  const prepared = await prepareSkill(ports, view, request, request.approvalId);
  if (!prepared.ok) return prepared;
  if (prepared.value.kind === 'ask') return ok(prepared.value);
  if (prepared.value.details.report.fields.context === 'inline') {
    const { layer, entry } = prepared.value.found;
    const invocation = inline(prepared.value, request);
    ports.uses.record(view.organisation, { layer: layer.layer, name: entry.name, at: Date.now() });
    return ok(invocation);
  }
  const refused = requireScope(principal, 'runs:start');
  if (refused) return fail(refused);
  const run = await startRun(ports, principal, view, prepared.value, request);
  return run.ok ? ok({ kind: 'forked', run: run.value }) : run;
}

function inline(skill: PreparedSkill, request: InvokeRequest): InlineInvocation {
  const { entry, layer } = skill.found;
  const { fields } = skill.details.report;
  const baseDirectory = request.baseDirectory ?? `skill://${encodeURIComponent(entry.name)}`;
  const expansion = expandPrompt(skill.details.body, {
    arguments: request.args,
    argumentNames: fields.arguments,
    variables: promptVariables(entry, baseDirectory, request.session, request.plugin),
  });
  return {
    kind: 'inline',
    skill,
    messages: inlineMessages({ name: entry.name, body: expansion.text, baseDirectory, args: request.args }),
    contextModifier: {
      allowedTools: forTurn(fields.allowedTools.length > 0 ? fields.allowedTools : null),
      disallowedTools: forTurn(fields.disallowedTools.length > 0 ? fields.disallowedTools : null),
      model: forTurn(fields.model),
      effort: forTurn(fields.effort),
      hooks:
        fields.hooks !== null && mayHaveHooks(layer.layer, entry.trust)
          ? { value: fields.hooks, lasts: 'session' }
          : null,
    },
    substitutions: expansion.substitutions,
  };
}

function forTurn<Value>(value: Value | null): Lasting<Value> | null {
  return value === null ? null : { value, lasts: 'turn' };
}
