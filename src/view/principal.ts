import { type AuditActor, auditName } from '../audit/audit-act.ts';
import { Layer, layerKind } from '../catalog/layers.ts';
import { REQUEST_LIMITS, CATALOG_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Actor, TokenRecord, TokenScope } from './token.ts';

/** Who asks, as the token says: never from the URL or a body. */
export interface Principal {
  readonly organisation: string;
  readonly label: string;
  readonly scopes: readonly TokenScope[];
  readonly layers: readonly Layer[] | null;
  readonly trust: TokenRecord['trust'];
  readonly actor: Actor;
}

/** As an audit log names it. */
export function actorOf({
  organisation,
  label,
  actor,
}: Pick<Principal, 'organisation' | 'label' | 'actor'>): AuditActor {
  return { organisation, label: auditName(label), kind: actor };
}

/**
 * What these scopes are for asks a person, or tells what an agent could learn to evade. It is nothing for an agent, whatever
 * scopes it was given: it may be the one that wants the answer.
 */
export const FOR_PEOPLE: Readonly<Partial<Record<TokenScope, string>>> = {
  'settings:write': 'changing settings and rules',
  'decisions:approve': 'deciding what others asked',
  'audit:read': 'the audit log',
};

/** The one place where a scope is asked for, and who may hold it. */
export function requireScope(principal: Principal, scope: TokenScope): Problem | null {
  if (!principal.scopes.includes(scope)) {
    return {
      code: 'forbidden',
      detail: `this token has no scope ${scope}`,
      hint: `Use a token with ${scope}.`,
    };
  }
  const what = principal.actor === 'agent' ? FOR_PEOPLE[scope] : undefined;
  if (what === undefined) return null;
  return { code: 'forbidden', detail: `${what} is for people`, hint: 'Use a token that is not an agent.' };
}

const ALWAYS: Result<Layer[]> = ok(['bundled', 'org']);

/**
 * The layers named by `scope=user:alice,project:web`, `bundled` and `org` always among them. Where nothing is named, a bound
 * token stands for all the layers that it is bound to.
 */
export function requestedLayers(
  principal: Pick<Principal, 'layers'>,
  scope: string | undefined,
): Result<Layer[]> {
  if (scope === undefined && principal.layers === null) return ALWAYS;
  const named = (scope ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  if (named.length > CATALOG_LIMITS.scopeLayers) {
    return fail(invalid(`scope names ${named.length} layers, more than ${CATALOG_LIMITS.scopeLayers}`));
  }
  const layers: Layer[] = [];
  for (const text of named) {
    const layer = Layer.safeParse(text);
    if (!layer.success)
      return fail(
        invalid(`scope names "${text.slice(0, REQUEST_LIMITS.agentCharacters)}", which is no layer`),
      );
    const own = layerKind(layer.data) !== 'bundled' && layerKind(layer.data) !== 'org';
    if (own && principal.layers && !principal.layers.includes(layer.data)) {
      return fail({
        code: 'forbidden',
        detail: `this token is not bound to ${layer.data}`,
        hint: `It may name: ${principal.layers.join(', ') || 'no layer'}.`,
      });
    }
    layers.push(layer.data);
  }
  const chosen = named.length > 0 ? layers : (principal.layers ?? []);
  return ok(['bundled', 'org', ...chosen.filter((layer) => layer !== 'bundled' && layer !== 'org')]);
}

function invalid(detail: string): Problem {
  return { code: 'scope_invalid', detail, hint: 'Write scope=user:alice,project:web.' };
}

/** May a token that is bound to these layers see what another one left? An unbound one sees all, a bound one what one with the same bounds left. */
export function hasBoundsOf(reader: readonly Layer[] | null, owner: readonly Layer[] | null): boolean {
  if (reader === null) return true;
  if (owner === null) return false;
  const [left, right] = [new Set(reader), new Set(owner)];
  return left.size === right.size && [...left].every((layer) => right.has(layer));
}
