import { Hono } from 'hono';
import { z } from 'zod';
import { BoundedCache } from '../core/bounded-cache.ts';
import {
  CACHE_LIMITS,
  DETECT_LIMITS,
  LISTING_LIMITS,
  POLICY_LIMITS,
  REQUEST_LIMITS,
} from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { detectInCommand } from '../invoke/detect-in-command.ts';
import {
  type DetectedSkill,
  detectInMessage,
  type TriggerableSkills,
  triggerableSkills,
} from '../invoke/detect-in-message.ts';
import { mergeListing } from '../view/listing/merge-listing.ts';
import type { View } from '../view/view.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { insideProject, PlatformName, ProductName } from './request/host-names.ts';
import { readJson } from './request/read-body.ts';
import { servicesFor } from './services.ts';
import { skillReference } from './skill-reference.ts';
import { unreadable } from './problem.ts';
import { viewOf } from './request/view-of.ts';

const Path = z.string().min(1).max(DETECT_LIMITS.pathCharacters);

const Message = z.strictObject({
  message: z.string().max(DETECT_LIMITS.messageCharacters),
  /** Of the moment, as a listing takes them: paths that were touched, and what the host is. */
  paths: z.array(Path).max(LISTING_LIMITS.touchedPaths).default([]),
  platform: PlatformName.optional(),
  product: ProductName.optional(),
});
const Command = z.strictObject({
  command: z.string().max(POLICY_LIMITS.commandCharacters),
  cwd: Path.default('/'),
  baseDirectories: z
    .array(
      z.strictObject({
        path: Path,
        skill: z.string().min(1).max(LISTING_LIMITS.statedNameCharacters).optional(),
      }),
    )
    .max(DETECT_LIMITS.baseDirectories)
    .default([]),
});
const Body = z.union([Message, Command]);

/** Trigger phrases by view, ready to be looked for. */
const triggers = new BoundedCache<string, TriggerableSkills>(CACHE_LIMITS.triggerSkills);

/** Which skills a message calls for, or a shell command uses, without naming them. */
export const detect = new Hono<AppEnv>().post('/', async (context) => {
  const caller = await viewOf(context, 'skills:read');
  if (!caller.ok) return refuse(context, caller.error);
  const { view } = caller.value;
  const body = await readJson(context, Body, REQUEST_LIMITS.jsonBytes);
  if (!body.ok) return refuse(context, body.error);
  if ('command' in body.value) {
    const { command, cwd, baseDirectories } = body.value;
    const asked = { command, directory: cwd, baseDirectories };
    const touched = await detectInCommand(servicesFor(context.env).blobs, view, asked);
    return answerJson({
      skills: touched.map(({ skill, kind, path }) => ({ skill: skillReference(skill), kind, path })),
    });
  }
  const { message, paths, platform = null, product = null } = body.value;
  const skills = await triggersOf(context, view);
  if (!skills.ok) return refuse(context, skills.error);
  const moment = { paths: insideProject(paths, platform), platform, product };
  const { candidates, vetoed, more } = detectInMessage(skills.value, message, moment);
  return answerJson({
    candidates: candidates.map((candidate) => shown(candidate, message)),
    vetoed: vetoed.map((candidate) => shown(candidate, message)),
    more,
  });
});

async function triggersOf(context: AppContext, view: View): Promise<Result<TriggerableSkills>> {
  const key = `${view.organisation}\n${view.fingerprint}`;
  const known = triggers.get(key);
  if (known) return ok(known);
  const merged = await mergeListing(servicesFor(context.env).blobs, view);
  if (!merged) {
    return fail(unreadable('a listing index'));
  }
  const made = triggerableSkills(merged);
  // The largest views push all others out, and stay.
  triggers.set(key, made, Math.min(made.skills.length + 1, CACHE_LIMITS.triggerSkills));
  return ok(made);
}

function shown({ skill: { entry, layer }, place, whole, veto }: DetectedSkill, message: string) {
  return {
    skill: { name: entry.name, layer, revision: entry.revision },
    phrase: message.slice(place.start, place.end),
    start: place.start,
    end: place.end,
    words: place.words,
    whole,
    ...(veto === null
      ? {}
      : { veto: { phrase: message.slice(veto.start, veto.end), start: veto.start, end: veto.end } }),
  };
}
