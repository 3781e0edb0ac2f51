import { z } from 'zod';
import { digestOf } from '../core/digest.ts';
import { SESSION_LIMITS } from '../core/limits.ts';
import type { HostCall, HostState } from '../invoke/sessions/session-contract.ts';
import { Pieces } from '../store/pieces.ts';
import { HostInventory } from '../view/listing/host-inventory.ts';
import { parseJson } from '../view/json-document.ts';
import {
  askFor,
  type MissingRequirement,
  type PreflightQuestion,
  requirementKey,
} from '../view/listing/missing-requirements.ts';

const Preflight = z.strictObject({
  /** What the host said since the session began, by kind. */
  has: HostInventory,
  declined: z.boolean(),
  /** Identities of what it was asked for. */
  asked: z.array(z.string()),
});
type Preflight = z.infer<typeof Preflight>;

const OWNER = 'preflight';
const NOTHING_SAID: Preflight = { has: {}, declined: false, asked: [] };
/** Of a digest: enough to tell one thing from the few others of a session. */
const IDENTITY_DIGITS = 16;

/** What the host of a session has by now, and what it was asked for. */
export class PreflightTable {
  readonly #pieces: Pieces;

  constructor(sql: SqlStorage) {
    this.#pieces = new Pieces(sql);
  }

  /** `first` is what the host said when the session began. */
  host(first: HostInventory): HostState {
    const { has, declined } = this.#read();
    return { has: { ...first, ...has }, declined };
  }

  /** False, and nothing is changed, where all that the host said by now is more than a session keeps. */
  tell({ has, declined }: HostCall): boolean {
    const before = this.#read();
    const all = HostInventory.safeParse({ ...before.has, ...has });
    if (all.success) this.#write({ ...before, has: all.data, declined: declined ?? before.declined });
    return all.success;
  }

  /** Notes what is asked for now: all of it that was never asked for, as much as there is room for. */
  ask(missing: readonly MissingRequirement[]): PreflightQuestion | null {
    if (missing.length === 0) return null;
    const before = this.#read();
    const known = new Set(before.asked);
    const room = Math.min(SESSION_LIMITS.askedAtOnce, SESSION_LIMITS.asked - known.size);
    const fresh = missing.filter((one) => !known.has(identityOf(one))).slice(0, Math.max(0, room));
    if (before.declined || fresh.length === 0) return null;
    this.#write({ ...before, asked: [...before.asked, ...fresh.map(identityOf)] });
    return askFor(fresh);
  }

  #read(): Preflight {
    return parseJson(Preflight, this.#pieces.readText(OWNER)) ?? NOTHING_SAID;
  }

  #write(preflight: Preflight): void {
    this.#pieces.writeText(OWNER, JSON.stringify(preflight));
  }
}

function identityOf(missing: MissingRequirement): string {
  return digestOf(requirementKey(missing)).slice(-IDENTITY_DIGITS);
}
