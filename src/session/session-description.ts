import type { HostState, KeptRule, Pin, SessionView } from '../invoke/sessions/session-contract.ts';
import type { AgentTable } from './agent-table.ts';
import type { HookTable } from './hook-table.ts';
import type { InvocationTable } from './invocation-table.ts';
import type { StoredSession } from './session-table.ts';

/** A session as people and programs read it. */
export function describeSession(
  { start, pins, createdAt, lastUsedAt }: StoredSession,
  {
    agents,
    invocations,
    hooks,
  }: { readonly agents: AgentTable; readonly invocations: InvocationTable; readonly hooks: HookTable },
  rules: readonly KeptRule[],
  host: HostState,
  expiresAt: number,
): SessionView {
  return {
    id: start.id,
    startedBy: start.startedBy,
    createdAt: time(createdAt),
    lastUsedAt: time(lastUsedAt),
    expiresAt: time(expiresAt),
    layers: start.layers,
    catalogs: catalogsOf(pins),
    host: { ...start.host, ...host },
    rules,
    agents: agents.labels().map((agent) => {
      const shown = agents.shown(agent);
      return {
        agent,
        sequence: agents.sequence(agent),
        skillCount: Object.keys(shown?.printed ?? {}).length,
        spent: shown?.spent ?? 0,
        activated: [...agents.activated(agent)],
        invoked: invocations.of(agent).map(({ name, layer, revision, at, grants }) => {
          return { skill: name, layer, revision, at: time(at), grants };
        }),
        hooks: hooks
          .of(agent)
          .map(({ hook, event, matcher, action: { type, once = false }, skill, layer }) => {
            return { hook, event, matcher, type, once, skill, layer };
          }),
      };
    }),
  };
}

export function catalogsOf(pins: readonly Pin[]): Record<string, string> {
  return Object.fromEntries(pins.map(({ layer, head }) => [layer, head.catalog]));
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
