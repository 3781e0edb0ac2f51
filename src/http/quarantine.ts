import { isText } from '../core/text-bytes.ts';
import { Hono } from 'hono';
import { z } from 'zod';
import type { SkillFile } from '../catalog/revision.ts';
import { REQUEST_LIMITS } from '../core/limits.ts';
import { fail, ok } from '../core/result.ts';
import {
  acceptHeld,
  describeHeld,
  findHeld,
  heldSkill,
  listHeld,
  rejectHeld,
} from '../publish/judge-held.ts';
import { type QuarantineRecord, QuarantineStatus } from '../publish/quarantine.ts';
import { requireScope } from '../view/principal.ts';
import { entityTag, findFile, readFileBytes } from '../view/read-skill.ts';
import { SCAN_NOTE } from '../view/shown-scan.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { fileHeaders } from './file-headers.ts';
import { filePath } from './request/file-path.ts';
import { publisherOf } from './request/publisher.ts';
import { readJson } from './request/read-body.ts';

const Answer = z.strictObject({ action: z.enum(['accept', 'reject']) });

/** What was published and may not be, for people: with everything that an answer needs. */
export const quarantine = new Hono<AppEnv>()
  .get('/', async (context) => {
    const judge = await judgeOf(context);
    if (!judge.ok) return refuse(context, judge.error);
    const status = QuarantineStatus.default('held').safeParse(context.req.query('status'));
    const cursor = z.coerce
      .number()
      .int()
      .positive()
      .nullable()
      .default(null)
      .safeParse(context.req.query('cursor'));
    if (!status.success || !cursor.success) {
      return refuse(context, {
        code: 'bad_request',
        at: status.success ? 'cursor' : 'status',
        detail: 'status is not held, accepted or rejected, or cursor not one that a page gave',
        hint: 'Leave both out for what waits, the newest first.',
      });
    }
    const { ports, principal } = judge.value;
    const page = await listHeld(ports, principal, { status: status.data, before: cursor.data });
    if (!page.ok) return refuse(context, page.error);
    const { records, next } = page.value;
    return answerJson({
      note: SCAN_NOTE,
      skills: records.map(summary),
      cursor: next === null ? null : String(next),
    });
  })
  .get('/:id', async (context) => {
    const judge = await judgeOf(context);
    if (!judge.ok) return refuse(context, judge.error);
    const { ports, principal } = judge.value;
    const found = await describeHeld(ports, principal, context.req.param('id'));
    if (!found.ok) return refuse(context, found.error);
    const { record, revision, report, permissions, standing } = found.value;
    return answerJson({
      ...summary(record),
      note: SCAN_NOTE,
      description: record.entry.description,
      permissions,
      scripts: revision.files.filter(isScript).map(({ path }) => path),
      files: revision.files,
      findings: [...record.findings, ...report.scan.findings],
      diagnostics: report.diagnostics,
      frontmatter: report.frontmatter,
      /** What an acceptance would take the place of. */
      standing: standing && { revision: standing.revision, version: standing.version, trust: standing.trust },
    });
  })
  .get('/:id/files/*', async (context) => {
    const judge = await judgeOf(context);
    if (!judge.ok) return refuse(context, judge.error);
    const { ports, principal } = judge.value;
    const held = await findHeld(ports, principal, context.req.param('id'));
    if (!held.ok) return refuse(context, held.error);
    const found = heldSkill(held.value, principal);
    const file = await findFile(ports.blobs, found, filePath(context));
    if (!file.ok) return refuse(context, file.error);
    const bytes = await readFileBytes(ports.blobs, found, file.value);
    if (!bytes.ok) return refuse(context, bytes.error);
    const { path, sha256 } = file.value;
    return new Response(bytes.value, { headers: fileHeaders(path, isText(bytes.value), entityTag(sha256)) });
  })
  .post('/:id', async (context) => {
    const judge = await judgeOf(context);
    if (!judge.ok) return refuse(context, judge.error);
    const body = await readJson(context, Answer, REQUEST_LIMITS.jsonBytes);
    if (!body.ok) return refuse(context, body.error);
    const { ports, principal } = judge.value;
    const answer = body.value.action === 'accept' ? acceptHeld : rejectHeld;
    const judged = await answer(ports, principal, context.req.param('id'));
    if (!judged.ok) return refuse(context, judged.error);
    await ports.records.readFresh([judged.value.layer], principal.organisation);
    return answerJson(summary(judged.value));
  });

/** Who asks, with the scope that it takes. */
async function judgeOf(context: AppContext) {
  const publisher = await publisherOf(context);
  if (!publisher.ok) return publisher;
  const refused = requireScope(publisher.value.principal, 'decisions:approve');
  return refused ? fail(refused) : ok(publisher.value);
}

function summary(record: QuarantineRecord) {
  const { id, layer, entry, flag, status, origin, verdict, complete, decision } = record;
  const { by, actor, heldAt, decidedBy, decidedAt, catalog } = record;
  const { name, revision, version, trust, kind, origins } = entry;
  return {
    id,
    layer,
    name,
    revision,
    version,
    status,
    decision,
    verdict,
    complete,
    provenance: { origin, trust, kind, by, actor, origins, flag, heldAt },
    decidedBy,
    decidedAt,
    catalog,
  };
}

const SCRIPT = /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|py|js|mjs|cjs|ts|tsx|jsx|rb|pl|lua|go|rs|php)$/i;

/** What somebody could run: by its mode or its name. */
function isScript({ path, executable }: SkillFile): boolean {
  return executable || SCRIPT.test(path);
}
