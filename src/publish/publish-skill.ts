import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Layer } from '../catalog/layers.ts';
import { mayVouch, usualTrust } from '../catalog/provenance.ts';
import { compileFolder } from '../compile/compile-folder.ts';
import { storeFolder } from '../compile/compile-layer.ts';
import { catalogEntry, type CompiledSkill } from '../compile/compile-skill.ts';
import type { SourceFile } from '../compile/source-tree.ts';
import type { SkillPermissions } from '../compile/skill-permissions.ts';
import type { Digest } from '../core/digest.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Diagnostic } from '../format/diagnostic.ts';
import { SKILL_FILE_NAME, skillBody } from '../format/parse-skill.ts';
import type { Principal } from '../view/principal.ts';
import { changeSkill, type ChangedSkill, sameRow, standingEntry } from './change-skill.ts';
import { publisherTrust } from './install-decision.ts';
import { installPermissions } from './permissions.ts';
import type { NewBlob, PushPorts } from './ports.ts';
import { heldSkills, installSettings, type Refused, reviewSkills } from './review.ts';

/** A skill as its publisher sends it. */
export interface SkillUpload {
  readonly layer: Layer;
  readonly name: string;
  readonly files: readonly {
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly executable: boolean;
  }[];
  readonly expected?: Digest | null | undefined;
  readonly force: boolean;
}

/** What is known of an upload once it was compiled. */
export interface CompiledUpload {
  readonly entry: CatalogEntry;
  readonly skill: CompiledSkill;
  readonly blobs: readonly NewBlob[];
  readonly diagnostics: readonly Diagnostic[];
  readonly permissions: SkillPermissions;
}

/** Publishes one skill. What a push verifies is verified, and what a push would hold is held. */
export async function publishSkill(
  ports: PushPorts,
  principal: Principal,
  upload: SkillUpload,
): Promise<Result<ChangedSkill & CompiledUpload>> {
  const { layer, name, expected, force } = upload;
  const compiled = await compileUpload(ports, principal, upload);
  if (!compiled.ok) return compiled;
  const { entry, blobs } = compiled.value;
  const changed = await changeSkill(ports, principal, { layer, name, entry, blobs, expected, force });
  return changed.ok ? ok({ ...compiled.value, ...changed.value }) : changed;
}

export interface Rehearsal extends CompiledUpload, Omit<ChangedSkill, 'record'> {
  /** What would be held, and what became of it before; null: it would be published. */
  readonly refused: Refused | null;
}

/** What `publishSkill` would do; stores nothing. */
export async function rehearseSkill(
  ports: PushPorts,
  principal: Principal,
  upload: SkillUpload,
): Promise<Result<Rehearsal>> {
  const compiled = await compileUpload(ports, principal, upload);
  if (!compiled.ok) return compiled;
  const { entry, skill } = compiled.value;
  const record = await ports.catalogs.view(upload.layer, principal.organisation);
  const before = await standingEntry(ports, principal, record, upload);
  if (!before.ok) return before;
  const changed = !sameRow(before.value, entry);
  const added = changed ? [{ entry, scan: skill.scan }] : [];
  const reviewed = await reviewSkills(ports, principal, record, added, upload.force);
  if (!reviewed.ok) return reviewed;
  const [review = null] = reviewed.value;
  const [held] = heldSkills(principal, upload.layer, {}, reviewed.value);
  const [status] = held ? await ports.quarantine.look(principal.organisation, [held.id]) : [];
  const refused = held && status !== 'accepted' ? { held, status: status ?? 'held' } : null;
  return ok({ ...compiled.value, before: before.value, changed, review, refused });
}

/** Compiles an upload as a build compiles a folder of its name. */
async function compileUpload(
  ports: PushPorts,
  principal: Principal,
  { layer, name, files }: SkillUpload,
): Promise<Result<CompiledUpload>> {
  const tree = files.map(({ path, bytes, executable }) => {
    const file: SourceFile = {
      path: `${name}/${path}`,
      size: bytes.length,
      executable,
      read: async () => bytes,
    };
    return { path, file };
  });
  const skillFile = tree.find(({ path }) => path === SKILL_FILE_NAME)?.file;
  const [text] = files.flatMap(({ path, bytes }) => (path === SKILL_FILE_NAME ? [bytes] : []));
  if (!skillFile || !text) return fail(invalidSkill(`there is no ${SKILL_FILE_NAME}`, []));
  const compiled = await compileFolder({ folder: name, skillFile, files: tree });
  const { skill } = compiled;
  const diagnostics = compiled.diagnostics.map((entry) => ({
    ...entry,
    path: entry.path.slice(name.length + 1),
  }));
  if (!skill) return fail(invalidSkill('the skill does not load', diagnostics));
  if (skill.name !== name)
    return fail(invalidSkill(`its name is ${JSON.stringify(skill.name)}, not that of the path`, diagnostics));
  const blobs: NewBlob[] = [];
  await storeFolder(compiled, new Set(), {
    put: (digest, bytes, tier) => void blobs.push({ digest, bytes, tier }),
  });
  const record = await ports.catalogs.view('org', principal.organisation);
  const most = publisherTrust(principal, layer, installSettings(record));
  const trust = mayVouch(most, usualTrust(layer)) ? usualTrust(layer) : most;
  const entry = catalogEntry(skill, { ...PLACE, name, trust, origins: [name] });
  const permissions = installPermissions(skill.fields, skillBody(text));
  return ok({ entry, skill, blobs, diagnostics, permissions });
}

const PLACE = { kind: 'skill', scope: null, plugin: null, listing: 'auto', head: null } as const;

function invalidSkill(detail: string, diagnostics: readonly Diagnostic[]): Problem {
  return {
    code: 'skill_invalid',
    errorCode: 1,
    detail,
    hint: 'Correct what the diagnostics name, then send it again.',
    data: {
      diagnostics: diagnostics.map(({ severity, code, path, line, message }) => ({
        severity,
        code,
        path,
        line,
        message,
      })),
    },
  };
}
