import { USAGE_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import type { SkillUse } from '../invoke/skill-use.ts';

type Tell = (organisation: string, uses: readonly SkillUse[]) => Promise<void>;
/** Lets a request go on with work after its answer. */
type WaitUntil = (work: Promise<void>) => void;

interface BufferedUse {
  readonly organisation: string;
  readonly use: SkillUse;
  /** Told once, in vain. */
  readonly failed: boolean;
}

/**
 * Uses of one isolate, held back so that a busy one makes few calls: told after a while, or when there are many. What is
 * in here when the isolate ends is lost. It holds plain values only: each call belongs to a request that waits for it.
 */
export class UseBuffer {
  readonly #tell: Tell;
  readonly #milliseconds: number;
  #uses = new Map<string, BufferedUse>();
  #dueAt = 0;

  constructor(tell: Tell, milliseconds: number = USAGE_LIMITS.flushMilliseconds) {
    this.#tell = tell;
    this.#milliseconds = milliseconds;
  }

  record(organisation: string, use: SkillUse, waitUntil: WaitUntil): void {
    // A request that was cut short took its timer along.
    if (this.#uses.size > 0 && Date.now() > this.#dueAt) waitUntil(this.#flush());
    const first = this.#uses.size === 0;
    const buffered = { organisation, use, failed: false };
    // So soon after each other, several uses of one skill count as one.
    const known = this.#uses.get(keyOf(buffered));
    if (known && known.use.at >= use.at) return;
    this.#uses.set(keyOf(buffered), buffered);
    if (this.#uses.size >= USAGE_LIMITS.bufferedSkills) waitUntil(this.#flush());
    else if (first) waitUntil(this.#flushLater());
  }

  async #flushLater(): Promise<void> {
    this.#dueAt = Date.now() + this.#milliseconds;
    await new Promise((resolve) => setTimeout(resolve, this.#milliseconds));
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const batch = Map.groupBy(this.#uses.values(), ({ organisation }) => organisation);
    this.#uses = new Map();
    const told = await Promise.all(
      [...batch].map(([organisation, uses]) => this.#tellOne(organisation, uses)),
    );
    if (told.includes('again')) await this.#flushLater();
  }

  async #tellOne(organisation: string, buffered: readonly BufferedUse[]): Promise<'told' | 'again' | 'lost'> {
    const uses = buffered.map(({ use }) => use);
    try {
      await this.#tell(organisation, uses);
      return 'told';
    } catch (error) {
      const kept = buffered.filter((use) => this.#keep(use));
      const lost = uses.length - kept.length;
      if (lost > 0) logFault('uses_lost', { organisation, uses: String(lost), reason: String(error) });
      return kept.length > 0 ? 'again' : 'lost';
    }
  }

  /** For one more try, where there is room. */
  #keep(buffered: BufferedUse): boolean {
    const key = keyOf(buffered);
    if (this.#uses.has(key)) return true;
    if (buffered.failed || this.#uses.size >= USAGE_LIMITS.bufferedSkills - 1) return false;
    this.#uses.set(key, { ...buffered, failed: true });
    return true;
  }
}

function keyOf({ organisation, use }: BufferedUse): string {
  return JSON.stringify([organisation, use.layer, use.name]);
}
