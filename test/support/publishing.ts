import type { Layer } from '../../src/catalog/layers.ts';
import type { Verdict } from '../../src/scan/finding.ts';
import { BODIES } from './scanned.ts';
import { skillText } from '../compile/trees.ts';
import { call, push } from './deployment.ts';

type Files = readonly { path: string; text?: string; base64?: string; executable?: boolean }[];

/** The files of a skill that a scan judges so. */
export function filesOf(name: string, verdict: Verdict, more = ''): Files {
  return [{ path: 'SKILL.md', text: skillText(name, '', `${BODIES[verdict]}${more}`) }];
}

export interface PutOptions {
  readonly layer?: Layer;
  readonly query?: string;
  readonly expected?: string | null;
  readonly force?: boolean;
}

/** Publishes one skill over HTTP. */
export function put(token: string, name: string, files: Files, options: PutOptions = {}): Promise<Response> {
  const { layer = 'org', query = '', ...body } = options;
  return call('PUT', `${skillPath(layer, name)}${query}`, { token, body: { files, ...body } });
}

export function skillPath(layer: Layer, name: string): string {
  return `/v1/layers/${encodeURIComponent(layer)}/skills/${encodeURIComponent(name)}`;
}

/** The id that an answer gives a held skill. */
export async function heldId(response: Response): Promise<string> {
  const problem: { data: { held?: { id: string }[]; reference?: string } } = await response.json();
  return problem.data.held?.[0]?.id ?? problem.data.reference ?? '';
}

/** Pushes what a scan may well find dangerous: a person accepts what is held of it. */
export async function pushAccepted(...pushed: Parameters<typeof push>): ReturnType<typeof push> {
  const first = await push(...pushed);
  const answer: { data?: { held?: { id: string }[] } } = await first.response.clone().json();
  const [token] = pushed;
  const held = answer.data?.held ?? [];
  for (const { id } of held)
    await call('POST', `/v1/quarantine/${id}`, { token, body: { action: 'accept' } });
  return held.length === 0 ? first : push(...pushed);
}
