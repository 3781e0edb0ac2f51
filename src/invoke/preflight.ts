import type { Requirement } from '../catalog/requirement.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isFor } from '../view/listing/choose-skills.ts';
import type { FoundSkill } from '../view/find-skill.ts';
import {
  type HostInventory,
  inventoryOf,
  missingRequirements,
  namesOfSkills,
} from '../view/listing/host-inventory.ts';
import { mergeListing } from '../view/listing/merge-listing.ts';
import { consolidateMissing, type PreflightQuestion } from '../view/listing/missing-requirements.ts';
import type { BlobStore } from '../view/ports.ts';
import type { SkillDetails } from '../view/read-skill.ts';
import type { View } from '../view/view.ts';
import type { Trigger } from './decide-skill.ts';
import type { Repeatable, SessionAddress, Sessions } from './sessions/session-contract.ts';

/** What the host of a session lacks for a skill that it is about to use. */
export interface Preflight {
  readonly missing: readonly Requirement[];
  /** Variables that the skill would use if they were there. */
  readonly betterWith: readonly string[];
  /** What the skill is for, where the host is a platform and none of these; else empty. */
  readonly otherPlatforms: readonly string[];
  /** Where the organisation wants its hosts asked, and this one was not asked for all of it. */
  readonly question: PreflightQuestion | null;
}

/**
 * Looks at what a skill needs before anything of it runs. What is missing changes no decision, and what is there grants
 * nothing. `skill_requirement_missing` where the organisation hides such skills from models, and a model wants this one.
 */
export async function preflightSkill(
  ports: { readonly blobs: BlobStore; readonly sessions: Pick<Sessions, 'ask'> },
  view: View,
  session: {
    readonly address: SessionAddress;
    readonly has: HostInventory;
    readonly platform: string | null;
  },
  { found, details }: { readonly found: FoundSkill; readonly details: Pick<SkillDetails, 'report'> },
  { trigger, idempotencyKey }: { readonly trigger: Trigger } & Repeatable,
): Promise<Result<Preflight>> {
  const { entry } = found;
  const missing = await missingFor(ports.blobs, view, session.has, found);
  const { platform } = session;
  const otherPlatforms = platform === null || isFor(entry.platforms, platform) ? [] : entry.platforms;
  const facts = { missing, betterWith: missingOptional(details, session.has), otherPlatforms };
  const { requirements } = view.settings;
  const unfit = missing.length > 0 || otherPlatforms.length > 0;
  if (unfit && requirements === 'hide' && trigger !== 'user') return fail(lacks(facts));
  if (missing.length === 0 || requirements !== 'ask') return ok({ ...facts, question: null });
  const asked = await ports.sessions.ask(session.address, {
    missing: consolidateMissing([{ name: entry.name, missing }]),
    idempotencyKey,
  });
  return asked.ok ? ok({ ...facts, question: asked.value }) : asked;
}

/** The same as a listing of the same view says. Other skills are looked for there, and nothing is read where none is needed. */
export async function missingFor(
  blobs: BlobStore,
  view: View,
  has: HostInventory,
  { entry: { requires = [] } }: FoundSkill,
): Promise<Requirement[]> {
  const needsSkills = requires.some(({ kind }) => kind === 'skills');
  const merged = needsSkills ? await mergeListing(blobs, view) : null;
  return missingRequirements(requires, inventoryOf(has, merged && namesOfSkills(merged)));
}

function missingOptional({ report }: Pick<SkillDetails, 'report'>, { env }: HostInventory): string[] {
  if (env === undefined) return [];
  const optional = report.fields.requires?.env.filter((variable) => variable.optional) ?? [];
  return optional.map(({ name }) => name).filter((name) => !env.includes(name));
}

function lacks({ missing, otherPlatforms }: Pick<Preflight, 'missing' | 'otherPlatforms'>): Problem {
  const reasons = [
    ...(missing.length === 0
      ? []
      : [`the host lacks ${missing.map(({ oneOf }) => oneOf.join(' or ')).join(', ')}`]),
    ...(otherPlatforms.length === 0 ? [] : [`the skill is for ${otherPlatforms.join(' or ')}`]),
  ];
  return {
    code: 'skill_requirement_missing',
    detail: reasons.join(', and '),
    hint: 'Tell what the host has by now with POST /v1/sessions/SESSION/host, or let a person start the skill.',
    data: { missing: [...missing] },
  };
}
