import { z } from 'zod';
import { canonicalJson, type Json } from '../core/canonical-json.ts';
import { AUDIT_LIMITS } from '../core/limits.ts';
import { AuditRecord, ChainLink, genesis, recordDigest } from './audit-record.ts';

/** The first line of an export: whose log it is, where its first record belongs, and where it stood when it was read. */
export const ExportHead = z.strictObject({
  space: z.templateLiteral(['o/', z.string()]).or(z.literal('bundled')),
  start: ChainLink,
  head: ChainLink,
});
export type ExportHead = z.infer<typeof ExportHead>;

const TrimmedDetails = z.object({ space: z.string(), through: z.number(), digest: z.string() });

/** Something that does not fit, and in which line; 0 where it is the whole that does not. */
export interface LogFault {
  readonly line: number;
  readonly message: string;
}

/**
 * Goes through an export line by line and holds every record against the one before. A line counts only as it was written:
 * byte for byte the canonical JSON of what it says.
 */
export class LogVerifier {
  readonly #known: ChainLink | null;
  #export: ExportHead | null = null;
  #last: ChainLink | null = null;
  #line = 0;
  /** Whether anything but the export's own first line says where it begins. */
  #anchored = false;
  #knownSeen = false;

  /** `known`: a head that was written down when the log stood there. */
  constructor(known: ChainLink | null = null) {
    this.#known = known;
  }

  /** The last record so far; null before the first line. */
  get last(): ChainLink | null {
    return this.#last;
  }

  /** The next line, without its line break; null for one that is no text. */
  read(text: string | null): LogFault[] {
    this.#line += 1;
    const messages = this.#line === 1 ? this.#readHead(text) : this.#readRecord(text);
    return messages.map((message) => ({ line: this.#line, message }));
  }

  /** What is wrong with the whole, once all lines were read. */
  end(): LogFault[] {
    const messages: string[] = [];
    const [log, last, known] = [this.#export, this.#last, this.#known];
    if (!log || !last) messages.push('there is no log');
    else {
      if (!isSame(last, log.head)) {
        messages.push(`it ends with record ${named(last)}, and its first line says ${named(log.head)}`);
      }
      if (!this.#anchored) messages.push(`nothing shows that it begins behind record ${log.start.sequence}`);
      if (known && !this.#knownSeen) messages.push(`${named(known)}, which is known, is not in it`);
    }
    return messages.map((message) => ({ line: 0, message }));
  }

  #readHead(text: string | null): string[] {
    const parsed = parseLine(ExportHead, text);
    if (!parsed) return ['this is not the first line of an export'];
    this.#export = parsed;
    const { space, start } = parsed;
    this.#last = start;
    this.#look(start);
    // Who gives the place where it begins vouches for it.
    this.#anchored = this.#knownSeen || isSame(start, genesis(space));
    if (this.#anchored || start.sequence > 0) return [];
    return [`the log of ${space} does not begin like this`];
  }

  #readRecord(text: string | null): string[] {
    const record = parseLine(AuditRecord, text);
    if (!record) return ['this is no record, or not as it was written'];
    const messages: string[] = [];
    if (recordDigest(record) !== record.digest) messages.push('the record is not what its digest says');
    const before = this.#last;
    if (before && record.sequence !== before.sequence + 1) {
      messages.push(`record ${record.sequence} stands behind record ${before.sequence}`);
    } else if (before && record.previous !== before.digest) {
      messages.push(`record ${record.sequence} was not made behind the one before it`);
    }
    // One fault is told once: what follows is held against what stands here.
    const { sequence, digest } = record;
    this.#last = { sequence, digest };
    if (messages.length === 0) {
      this.#look(this.#last);
      this.#anchor(record);
    }
    return messages;
  }

  #look(link: ChainLink): void {
    if (this.#known && isSame(link, this.#known)) this.#knownSeen = true;
  }

  /** The record of the last dropping vouches for where the log begins since. */
  #anchor({ act, details }: AuditRecord): void {
    const log = this.#export;
    const trimmed = act === 'log_trimmed' ? TrimmedDetails.safeParse(details) : null;
    if (!log || !trimmed?.success) return;
    const { space, through, digest } = trimmed.data;
    if (space === log.space && through === log.start.sequence && digest === log.start.digest)
      this.#anchored = true;
  }
}

function parseLine<Schema extends z.ZodType<Json>>(
  schema: Schema,
  text: string | null,
): z.infer<Schema> | null {
  if (text === null || text.length > AUDIT_LIMITS.lineCharacters) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = schema.safeParse(value);
  return parsed.success && canonicalJson(parsed.data) === text ? parsed.data : null;
}

function isSame(left: ChainLink, right: ChainLink): boolean {
  return left.sequence === right.sequence && left.digest === right.digest;
}

function named({ sequence, digest }: ChainLink): string {
  return `${sequence}:${digest}`;
}
