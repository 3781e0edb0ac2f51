import { RUN_LIMITS } from '../core/limits.ts';
import type { RunEventBody } from '../invoke/runs/run-event.ts';
import type { ModelDelta, ModelTry } from '../model/model.ts';

/** Tells what a model says while it says it: what comes within a moment is one event, and one write. */
export class MessageTeller {
  readonly #step: number;
  readonly #tell: (events: readonly RunEventBody[]) => void;
  #events: RunEventBody[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(step: number, tell: (events: readonly RunEventBody[]) => void) {
    this.#step = step;
    this.#tell = tell;
  }

  delta(delta: ModelDelta): void {
    if (delta.kind === 'call') return;
    const last = this.#events.at(-1);
    const step = this.#step;
    if (last?.type === delta.kind) this.#events.splice(-1, 1, { ...last, text: last.text + delta.text });
    else this.#events.push({ type: delta.kind, step, text: delta.text });
    this.#timer ??= setTimeout(() => this.#flush(), RUN_LIMITS.deltaMilliseconds);
  }

  failed({ attempt, failure, waitMilliseconds }: ModelTry): void {
    this.#events.push({ type: 'model.retry', step: this.#step, attempt, failure, waitMilliseconds });
    this.#flush();
  }

  /** What is left to tell; nothing is told by itself any more. */
  end(): RunEventBody[] {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #flush(): void {
    const events = this.end();
    if (events.length > 0) this.#tell(events);
  }
}
