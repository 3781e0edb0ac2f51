import { Hono } from 'hono';
import { z } from 'zod';
import { EntryName } from '../catalog/catalog-entry.ts';
import { Layer } from '../catalog/layers.ts';
import { DigestSchema, isSafePath } from '../catalog/revision.ts';
import { PUBLISH_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok } from '../core/result.ts';
import {
  type CompiledUpload,
  publishSkill,
  type Rehearsal,
  rehearseSkill,
} from '../publish/publish-skill.ts';
import { mayPush } from '../publish/push.ts';
import type { ReviewedSkill } from '../publish/review.ts';
import { rehearseWithdrawal, withdrawSkill } from '../publish/withdraw-skill.ts';
import type { Principal } from '../view/principal.ts';
import { SCAN_NOTE } from '../view/shown-scan.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { publisherOf } from './request/publisher.ts';
import { readJson } from './request/read-body.ts';

const Path = z.string().refine(isSafePath, 'not a path inside a skill');
const Executable = z.boolean().default(false);
const File = z.union([
  z.strictObject({ path: Path, text: z.string(), executable: Executable }),
  z.strictObject({ path: Path, base64: z.base64(), executable: Executable }),
]);
const Put = z.strictObject({
  files: z
    .array(File)
    .min(1)
    .max(SKILL_LIMITS.files)
    .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, 'a path is there twice'),
  expected: DigestSchema.nullable().optional(),
  force: z.boolean().default(false),
});

/** One skill of one layer: published, tried, withdrawn. */
export const layers = new Hono<AppEnv>()
  .put('/:layer/skills/:name', async (context) => {
    const target = await targetOf(context);
    if (!target.ok) return refuse(context, target.error);
    const { principal, ports, layer, name, dryRun } = target.value;
    const body = await readJson(context, Put, PUBLISH_LIMITS.skillBytes);
    if (!body.ok) return refuse(context, body.error);
    const { files, expected, force } = body.value;
    const upload = { layer, name, files: files.map(readFile), expected, force };
    if (dryRun) {
      const tried = await rehearseSkill(ports, principal, upload);
      return tried.ok ? answerJson(rehearsed(principal, layer, tried.value)) : refuse(context, tried.error);
    }
    const published = await publishSkill(ports, principal, upload);
    if (!published.ok) return refuse(context, published.error);
    const { record, changed } = published.value;
    ports.records.note(record, principal.organisation);
    return answerJson({
      status: changed ? 'published' : 'unchanged',
      ...described(principal, layer, published.value),
      catalog: record.head?.catalog,
      sequence: record.head?.sequence,
    });
  })
  .delete('/:layer/skills/:name', async (context) => {
    const target = await targetOf(context);
    if (!target.ok) return refuse(context, target.error);
    const { principal, ports, layer, name, dryRun } = target.value;
    const expected = DigestSchema.optional().safeParse(context.req.query('expected'));
    if (!expected.success) return refuse(context, badQuery('expected', 'is not a revision'));
    const withdraw = dryRun ? rehearseWithdrawal : withdrawSkill;
    const withdrawn = await withdraw(ports, principal, { layer, name, expected: expected.data });
    if (!withdrawn.ok) return refuse(context, withdrawn.error);
    const { record, before } = withdrawn.value;
    const shown = { status: 'withdrawn', layer, name, revision: before.revision };
    if (dryRun) return answerJson({ ...shown, dryRun });
    ports.records.note(record, principal.organisation);
    return answerJson({ ...shown, catalog: record.head?.catalog, sequence: record.head?.sequence });
  });

/** Who changes which skill of which layer, and whether it is only tried. */
async function targetOf(context: AppContext) {
  const publisher = await publisherOf(context);
  if (!publisher.ok) return publisher;
  const layer = Layer.safeParse(context.req.param('layer'));
  const name = EntryName.safeParse(context.req.param('name'));
  const dryRun = DRY_RUN.get(context.req.query('dry_run'));
  if (!layer.success) return fail(badQuery('layer', 'is no layer'));
  const refused = mayPush(publisher.value.principal, layer.data);
  if (refused) return fail(refused);
  if (!name.success) return fail(badQuery('name', 'is not a name of a skill'));
  if (dryRun === undefined) return fail(badQuery('dry_run', 'is neither 1 nor 0'));
  return ok({ ...publisher.value, layer: layer.data, name: name.data, dryRun });
}

/** Nobody publishes because of a word that was not understood. */
const DRY_RUN: ReadonlyMap<string | undefined, boolean> = new Map([
  [undefined, false],
  ['0', false],
  ['1', true],
]);

function badQuery(at: string, what: string): Problem {
  return {
    code: 'bad_request',
    at,
    detail: `${at} ${what}`,
    hint: 'For instance PUT /v1/layers/org/skills/verify?dry_run=1.',
  };
}

function readFile(file: z.infer<typeof File>) {
  const { path, executable } = file;
  const bytes = 'text' in file ? new TextEncoder().encode(file.text) : bytesOf(file.base64);
  return { path, executable, bytes };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** What everybody is told of a skill that may be published; findings are for people. */
function described(
  { actor }: Principal,
  layer: Layer,
  upload: CompiledUpload & { review: ReviewedSkill | null },
) {
  const { entry, skill, diagnostics, permissions, review } = upload;
  const { name, revision, version, trust } = entry;
  const shown = { layer, name, revision, version, trust, permissions, diagnostics };
  if (actor === 'agent') return shown;
  const { scan } = skill;
  return {
    ...shown,
    ...(review ? { origin: review.origin, decision: review.decision } : {}),
    verdict: review?.verdict ?? scan.verdict,
    complete: scan.complete,
    findings: [...(review?.findings ?? []), ...scan.findings],
    note: SCAN_NOTE,
  };
}

function rehearsed(principal: Principal, layer: Layer, rehearsal: Rehearsal) {
  const { refused, changed, before } = rehearsal;
  if (refused && principal.actor === 'agent')
    return { status: 'rejected', dryRun: true, reference: refused.held.id };
  const published = changed ? 'published' : 'unchanged';
  return {
    status: refused ? 'held' : published,
    dryRun: true,
    ...described(principal, layer, rehearsal),
    before: before?.revision ?? null,
    ...(refused ? { quarantine: { id: refused.held.id, status: refused.status } } : {}),
  };
}
