import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import type { RunStart } from '../../src/invoke/runs/run-contract.ts';
import { stubOf } from './support.ts';

/** Something that hangs the first time it is asked, until it is released or the object that waits for it is gone. */
export class Trap {
  sprung = false;
  released = false;

  async wait(): Promise<void> {
    if (this.sprung) return;
    this.sprung = true;
    while (!this.released) await scheduler.wait(5);
  }
}

/** Wakes the run until it hangs in the trap. Looks at it from outside: a promise must not cross between objects. */
export async function hangIn(trap: Trap, start: RunStart): Promise<{ woken: Promise<unknown> }> {
  for (;;) {
    const wake = { done: false };
    const woken = runDurableObjectAlarm(stubOf(start))
      .catch(() => 'killed')
      .finally(() => {
        wake.done = true;
      });
    while (!wake.done && !trap.sprung) await scheduler.wait(5);
    if (trap.sprung) return { woken };
  }
}

export async function killInside(trap: Trap, start: RunStart): Promise<void> {
  await hangIn(trap, start);
  await abortAllDurableObjects();
}
