import { Hono } from 'hono';
import { type CatalogEntry, EntryName } from '../catalog/catalog-entry.ts';
import { isSkillUrl, readSkillUrl } from '../catalog/skill-url.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isText } from '../core/text-bytes.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { nameInUrl } from '../invoke/skill-name.ts';
import { findSkill, type FoundSkill } from '../view/find-skill.ts';
import { pageSkills } from '../view/listing/page-skills.ts';
import { entityTag, entryTag, findFile, readBody, readDetails, readFileBytes } from '../view/read-skill.ts';
import type { Principal } from '../view/principal.ts';
import { shownScan } from '../view/shown-scan.ts';
import {
  answerJson,
  type AppContext,
  type AppEnv,
  isNotModified,
  notModified,
  privateHeaders,
  refuse,
} from './context.ts';
import { fileHeaders } from './file-headers.ts';
import { filePath } from './request/file-path.ts';
import { unreadable } from './problem.ts';
import { readLimit } from './request/read-limit.ts';
import { search } from './search.ts';
import { viewOf } from './request/view-of.ts';
import { servicesFor } from './services.ts';

export const skills = new Hono<AppEnv>()
  .get('/', async (context) => {
    const page = readPage(context);
    if (!page.ok) return refuse(context, page.error);
    const caller = await viewOf(context, 'skills:read');
    if (!caller.ok) return refuse(context, caller.error);
    const found = await pageSkills(
      servicesFor(context.env).blobs,
      caller.value.view,
      page.value.cursor,
      page.value.limit,
    );
    if (found) return answerJson(found);
    return refuse(context, unreadable('a catalog'));
  })
  // A skill that is called "search" is reached by its layer: `org%2Fsearch`. The fast router has no room for both paths.
  .get('/:name', async (context) => {
    if (context.req.param('name') === 'search') return search(context);
    const found = await skillOf(context);
    if (!found.ok) return refuse(context, found.error);
    const { layer, entry, principal } = found.value;
    const tag = entryTag(entry);
    if (isNotModified(context, tag)) return notModified(tag);
    const details = await readDetails(servicesFor(context.env).blobs, found.value);
    if (!details.ok) return refuse(context, details.error);
    const { revision, report } = details.value;
    const { fields, frontmatter, frontmatterText, diagnostics, compatibility, body, tokens } = report;
    return answerJson(
      {
        name: entry.name,
        layer: layer.layer,
        revision: entry.revision,
        version: entry.version,
        listing: entry.listing,
        kind: entry.kind,
        trust: entry.trust,
        scope: entry.scope,
        plugin: entry.plugin,
        origins: entry.origins.map((folder) => ({ layer: layer.layer, folder })),
        files: revision.files,
        fields,
        frontmatter,
        frontmatterText,
        diagnostics,
        compatibility,
        body,
        tokens,
        scan: shownScan(report.scan, principal.actor),
        compiler: report.compiler,
      },
      200,
      { ETag: tag },
    );
  })
  .get('/:name/body', async (context) => {
    const found = await skillOf(context);
    if (!found.ok) return refuse(context, found.error);
    const tag = entityTag(found.value.entry.skillFile.sha256);
    if (isNotModified(context, tag)) return notModified(tag);
    const body = await readBody(servicesFor(context.env).blobs, found.value);
    if (!body.ok) return refuse(context, body.error);
    return new Response(body.value.bytes, { headers: bodyHeaders(found.value.entry, tag) });
  })
  .get('/:name/files/*', async (context) => {
    const found = await skillOf(context);
    if (!found.ok) return refuse(context, found.error);
    const { blobs } = servicesFor(context.env);
    const file = await findFile(blobs, found.value, fileOf(context, found.value));
    if (!file.ok) return refuse(context, file.error);
    const tag = entityTag(file.value.sha256);
    if (isNotModified(context, tag)) return notModified(tag);
    const bytes = await readFileBytes(blobs, found.value, file.value);
    if (!bytes.ok) return refuse(context, bytes.error);
    return new Response(bytes.value, { headers: fileHeaders(file.value.path, isText(bytes.value), tag) });
  });

/** Made once for a row of a catalog: copying them as a whole is half the work of reading each anew. */
const headersOfBodies = new WeakMap<CatalogEntry, Headers>();

function bodyHeaders(entry: CatalogEntry, tag: string): Headers {
  const known = headersOfBodies.get(entry);
  if (known) return known;
  const headers = new Headers(privateHeaders(tag, 'text/markdown; charset=utf-8'));
  headers.set('Skilledge-Revision', entry.revision);
  headersOfBodies.set(entry, headers);
  return headers;
}

/** The skill that the request names, and who asks. */
async function skillOf(context: AppContext): Promise<Result<FoundSkill & { principal: Principal }>> {
  const caller = await viewOf(context, 'skills:read');
  if (!caller.ok) return caller;
  const named = context.req.param('name') ?? '';
  const name = isSkillUrl(named) ? nameInUrl(named) : ok(named);
  if (!name.ok) return name;
  const found = await findSkill(servicesFor(context.env), caller.value.view, {
    name: name.value,
    revision: context.req.query('revision'),
    version: context.req.query('version'),
  });
  return found.ok ? ok({ ...found.value, principal: caller.value.principal }) : found;
}

/** The path that the request names; a `skill://` of another skill is no file's path. */
function fileOf(context: AppContext, { layer, entry }: FoundSkill): string {
  const path = filePath(context);
  if (!isSkillUrl(path)) return path;
  const url = readSkillUrl(path);
  const own = url !== null && [entry.name, `${layer.layer}/${entry.name}`].includes(url.name);
  return own ? (url.path ?? SKILL_FILE_NAME) : '';
}

function readPage(context: AppContext): Result<{ cursor: string; limit: number }> {
  const cursor = context.req.query('cursor') ?? '';
  const limit = readLimit(context, CATALOG_LIMITS.pageEntries, CATALOG_LIMITS.pageEntries);
  if (!limit.ok) return limit;
  if (cursor !== '' && !EntryName.safeParse(cursor).success) {
    return fail({
      code: 'bad_request',
      at: 'cursor',
      detail: 'cursor is not one that a page gave',
      hint: 'Begin without a cursor.',
    });
  }
  return ok({ cursor, limit: limit.value });
}
