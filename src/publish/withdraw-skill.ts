import type { Layer } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';
import { fail, type Result } from '../core/result.ts';
import { unknownSkill } from '../view/find-skill.ts';
import type { Principal } from '../view/principal.ts';
import { type ChangedSkill, changeSkill } from './change-skill.ts';
import type { PushPorts } from './ports.ts';

/** Takes one skill out of its layer. Its revisions stay readable by those who know them. */
export async function withdrawSkill(
  ports: PushPorts,
  principal: Principal,
  skill: { readonly layer: Layer; readonly name: string; readonly expected?: Digest | undefined },
): Promise<Result<ChangedSkill>> {
  const change = { ...skill, entry: null, blobs: [], force: false };
  const changed = await changeSkill(ports, principal, change);
  return changed.ok && changed.value.before === null ? fail(unknownSkill(skill.name)) : changed;
}
