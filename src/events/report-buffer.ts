import { logFault } from '../core/log.ts';

/** Lets a request go on with work after its answer. */
export type WaitUntil = (work: Promise<void>) => void;

export interface BufferOptions<Report> {
  tell(organisation: string, reports: readonly Report[]): Promise<void>;
  /** The same for reports of which one is enough. */
  keyOf(report: Report): string;
  /** What is left of two with one key, the older one first. */
  merge(older: Report, newer: Report): Report;
  /** Different ones that are held back at most. */
  readonly most: number;
  readonly milliseconds: number;
  /** The fault to log when some are lost, and what they are. */
  readonly lost: { readonly event: string; readonly what: string };
}

interface Buffered<Report> {
  readonly organisation: string;
  readonly report: Report;
  /** Told once, in vain. */
  readonly failed: boolean;
}

/**
 * What one isolate reports, held back so that a busy one makes few calls: told after a while, or when there is much. What
 * is in here when the isolate ends is lost. It holds plain values only: each call belongs to a request that waits for it.
 */
export class ReportBuffer<Report> {
  readonly #options: BufferOptions<Report>;
  #held = new Map<string, Buffered<Report>>();
  #dueAt = 0;

  constructor(options: BufferOptions<Report>) {
    this.#options = options;
  }

  record(organisation: string, report: Report, waitUntil: WaitUntil): void {
    // A request that was cut short took its timer along.
    if (this.#held.size > 0 && Date.now() > this.#dueAt) waitUntil(this.#flush());
    const first = this.#held.size === 0;
    this.#hold({ organisation, report, failed: false });
    if (this.#held.size >= this.#options.most) waitUntil(this.#flush());
    else if (first) waitUntil(this.#flushLater());
  }

  #hold(buffered: Buffered<Report>): void {
    const key = this.#keyOf(buffered);
    const known = this.#held.get(key);
    const report = known ? this.#options.merge(known.report, buffered.report) : buffered.report;
    this.#held.set(key, { ...buffered, report });
  }

  async #flushLater(): Promise<void> {
    this.#dueAt = Date.now() + this.#options.milliseconds;
    await new Promise((resolve) => setTimeout(resolve, this.#options.milliseconds));
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const batch = Map.groupBy(this.#held.values(), ({ organisation }) => organisation);
    this.#held = new Map();
    const told = await Promise.all(
      [...batch].map(([organisation, buffered]) => this.#tellOne(organisation, buffered)),
    );
    if (told.includes('again')) await this.#flushLater();
  }

  async #tellOne(
    organisation: string,
    buffered: readonly Buffered<Report>[],
  ): Promise<'told' | 'again' | 'lost'> {
    const { tell, lost } = this.#options;
    try {
      await tell(
        organisation,
        buffered.map(({ report }) => report),
      );
      return 'told';
    } catch (error) {
      const kept = buffered.filter((one) => this.#keep(one));
      const gone = buffered.length - kept.length;
      if (gone > 0) logFault(lost.event, { organisation, [lost.what]: String(gone), reason: String(error) });
      return kept.length > 0 ? 'again' : 'lost';
    }
  }

  /** For one more try, where there is room. */
  #keep(buffered: Buffered<Report>): boolean {
    const key = this.#keyOf(buffered);
    const known = this.#held.get(key);
    if (known) {
      this.#held.set(key, { ...known, report: this.#options.merge(buffered.report, known.report) });
      return true;
    }
    if (buffered.failed || this.#held.size >= this.#options.most - 1) return false;
    this.#held.set(key, { ...buffered, failed: true });
    return true;
  }

  #keyOf({ organisation, report }: Buffered<Report>): string {
    return `${organisation}/${this.#options.keyOf(report)}`;
  }
}
