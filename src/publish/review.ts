import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type Layer, spaceOf } from '../catalog/layers.ts';
import { flagOf, type Gates } from '../catalog/merkle-catalog.ts';
import { isUntrusted, mayVouch } from '../catalog/provenance.ts';
import { PUBLISH_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Finding, ScanResult, Verdict } from '../scan/finding.ts';
import { InstallSettings } from '../view/settings/install-rules.ts';
import { type Principal, requireScope } from '../view/principal.ts';
import { SCAN_NOTE } from '../view/shown-scan.ts';
import { entriesOf, readIndexPages } from '../view/read-index.ts';
import type { ViewRecord } from '../view/view-record.ts';
import { type InstallAnswer, installDecision, publisherTrust } from './install-decision.ts';
import { type KnownName, KnownNames, nameFinding } from './known-names.ts';
import type { PushPorts } from './ports.ts';
import { type HeldSkill, quarantineId, type QuarantineStatus } from './quarantine.ts';

/** A row that a layer did not have before, and what the scan of its skill says. */
export interface ScannedEntry {
  readonly entry: CatalogEntry;
  readonly scan: Pick<ScanResult, 'verdict' | 'complete'>;
}

export interface ReviewedSkill extends InstallAnswer {
  readonly entry: CatalogEntry;
  readonly verdict: Verdict;
  readonly complete: boolean;
  /** Those of publishing; the others are in the report. */
  readonly findings: readonly Finding[];
}

/** Decides of each new row whether it may be published by this token, and says why not. Stores nothing. */
export async function reviewSkills(
  ports: Pick<PushPorts, 'blobs' | 'catalogs'>,
  principal: Principal,
  current: ViewRecord,
  added: readonly ScannedEntry[],
  force: boolean,
): Promise<Result<ReviewedSkill[]>> {
  const { layer } = current;
  if (added.length === 0) return ok([]);
  const refused = force ? mayForce(principal) : null;
  if (refused) return fail(refused);
  const own = layer === 'org' ? current : await ports.catalogs.view('org', principal.organisation);
  const settings = installSettings(own);
  const most = publisherTrust(principal, layer, settings);
  const vouched = added.find(({ entry }) => !mayVouch(most, entry.trust));
  if (vouched) return fail(beyondTrust(vouched.entry, most));
  const untrusted = added.some(({ entry }) => isUntrusted(entry.trust));
  const unseen = added.filter(({ scan }) => !scan.complete);
  if (unseen[0])
    logFault('scan_incomplete', { layer, revision: unseen[0].entry.revision, skills: String(unseen.length) });
  const names = new NameReview(layer, untrusted ? await readNames(ports, principal, current) : []);
  return ok(
    added.map(({ entry, scan }) => {
      const findings = names.findingsOf(entry);
      const verdict = findings.length > 0 && scan.verdict === 'safe' ? 'caution' : scan.verdict;
      const { complete } = scan;
      const question = { layer, trust: entry.trust, verdict, complete, force };
      return {
        entry,
        verdict,
        complete,
        findings,
        ...installDecision(principal, question, settings),
      };
    }),
  );
}

/** The organisation's word on installing. Read it from what owns it: a copy can be half a minute old. */
export function installSettings({ settings }: Pick<ViewRecord, 'settings'>): InstallSettings {
  return settings?.install ?? NOTHING_SAID;
}

const NOTHING_SAID: InstallSettings = InstallSettings.parse({});

/** Whoever publishes in spite of a warning answers the question that would be asked of a person. */
function mayForce(principal: Principal): Problem | null {
  if (principal.actor !== 'agent') return requireScope(principal, 'decisions:approve');
  return {
    code: 'forbidden',
    detail: 'an agent cannot force what it publishes',
    hint: 'Leave force out; a person decides about what is held.',
  };
}

/** What is to be said of the names of skills that nobody vouches for. */
class NameReview {
  readonly #known: KnownNames;
  /** By name, in the layer itself. */
  readonly #standing: ReadonlyMap<string, StandingName>;

  constructor(layer: Layer, names: readonly StandingName[]) {
    this.#known = new KnownNames(names);
    this.#standing = new Map(names.flatMap((one) => (one.layer === layer ? [[one.name, one]] : [])));
  }

  findingsOf({ name, revision, trust }: CatalogEntry): Finding[] {
    if (!isUntrusted(trust)) return [];
    const standing = this.#standing.get(name);
    if (standing) {
      const takes = !isUntrusted(standing.trust) && standing.revision !== revision;
      return takes ? [nameFinding('taken-name', name, standing)] : [];
    }
    const near = this.#known.nearTo(name);
    return near ? [nameFinding('near-name', name, near)] : [];
  }
}

interface StandingName extends KnownName, Pick<CatalogEntry, 'trust' | 'revision'> {}

/** Names that a new one could be taken for: those that every view has, and those of the layer itself. */
async function readNames(
  ports: Pick<PushPorts, 'blobs' | 'catalogs'>,
  { organisation }: Principal,
  current: ViewRecord,
): Promise<StandingName[]> {
  const others: readonly Layer[] = ['bundled', 'org'];
  const records = await Promise.all(
    others.flatMap((layer) => (layer === current.layer ? [] : ports.catalogs.view(layer, organisation))),
  );
  const standing = [...records, current].flatMap(({ layer, head }) => (head ? [{ layer, head }] : []));
  const indexes = await readIndexPages(
    ports.blobs,
    standing.map(({ layer, head }) => ({ space: spaceOf(layer, organisation), head })),
  );
  return standing.flatMap(({ layer }, at) =>
    entriesOf(indexes[at] ?? []).map(({ name, trust, revision }) => ({ name, trust, revision, layer })),
  );
}

function beyondTrust({ name, trust }: CatalogEntry, most: string): Problem {
  return {
    code: 'push_invalid',
    detail: `${JSON.stringify(name)} says that it is ${trust}; what this token publishes is at most ${most}`,
    hint: `Build with "trust: ${most}" for its source, then push again.`,
  };
}

/** The reviewed skills that are not allowed, as the quarantine keeps them. */
export function heldSkills(
  principal: Principal,
  layer: Layer,
  gates: Gates,
  reviewed: readonly ReviewedSkill[],
): HeldSkill[] {
  return reviewed.flatMap(({ entry, decision, origin, verdict, complete, findings }) =>
    decision === 'allow'
      ? []
      : [
          {
            id: quarantineId(principal.organisation, layer, entry),
            layer,
            entry,
            flag: flagOf(gates, entry.name),
            origin,
            verdict,
            complete,
            decision,
            findings: [...findings],
            by: principal.label,
            actor: principal.actor,
          },
        ],
  );
}

export interface Refused {
  readonly held: HeldSkill;
  readonly status: QuarantineStatus;
}

/** What a publisher is told of what was not published. An agent learns nothing that it could try around. */
export function rejection(principal: Principal, refused: readonly Refused[]): Problem {
  if (principal.actor === 'agent') {
    return {
      code: 'publish_rejected',
      detail: 'rejected',
      hint: 'A person of the organisation can look it up by its reference.',
      data: { reference: refused[0]?.held.id ?? null },
    };
  }
  const names = refused.slice(0, 5).map(({ held }) => JSON.stringify(held.entry.name));
  const more = refused.length > names.length ? ` and ${refused.length - names.length} more` : '';
  return {
    code: 'publish_rejected',
    detail: `nothing was published: ${names.join(', ')}${more} may not be, by what a scan says and where it is from`,
    hint: `GET /v1/quarantine/{id} says why, and POST decides. ${SCAN_NOTE}`,
    data: heldList(refused),
  };
}

/** What is held, as people are told of it. */
export function heldList(refused: readonly Refused[]) {
  return { held: refused.slice(0, PUBLISH_LIMITS.listedHeld).map(heldSummary), heldCount: refused.length };
}

function heldSummary({ held, status }: Refused) {
  const { id, entry, origin, verdict, complete, decision } = held;
  return {
    id,
    name: entry.name,
    revision: entry.revision,
    origin,
    verdict,
    complete,
    decision,
    status,
  };
}
