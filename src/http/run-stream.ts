import { RUN_LIMITS } from '../core/limits.ts';
import type { RunAddress, Runs } from '../invoke/runs/run-contract.ts';
import type { RunEvent, RunEventPage } from '../invoke/runs/run-event.ts';
import { privateHeaders } from './context.ts';

/** How soon a reader whose stream ended comes back, in milliseconds. */
const RETRY = 'retry: 1000\n\n';
/** One question to the run waits this long for something to happen. */
const TAIL_MILLISECONDS = 20_000;
/** Where it holds nobody back, since too many wait already, it is asked again this much later. */
const PAUSE_MILLISECONDS = 500;

/**
 * The events of a run as they become durable (server-sent events). The stream ends with the run, or after some minutes: a
 * reader comes back by itself, with the last id that it saw. The run does not notice who reads it, nor who goes away.
 */
export function streamRunEvents(runs: Runs, address: RunAddress, first: RunEventPage): Response {
  // Who has all of it would come back for ever: this answer says not to.
  if (first.complete && first.events.length === 0)
    return new Response(null, { status: 204, headers: privateHeaders(null, 'text/event-stream') });
  const end = Date.now() + RUN_LIMITS.streamMilliseconds;
  const encoder = new TextEncoder();
  let page: RunEventPage | null = first;
  let begun = false;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (page === null) {
        controller.close();
        return;
      }
      const text: string = (begun ? '' : RETRY) + page.events.map(eventText).join('');
      begun = true;
      controller.enqueue(encoder.encode(text === '' ? ': still here\n\n' : text));
      if (page.events.length === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
      page = page.complete || Date.now() >= end ? null : await nextPage(runs, address, page.next);
    },
  });
  return new Response(stream, { headers: { ...privateHeaders(null, 'text/event-stream') } });
}

/** Null where the run cannot be reached, or is gone: the reader comes back and is told why. */
async function nextPage(runs: Runs, address: RunAddress, after: number): Promise<RunEventPage | null> {
  const read = await runs.events(address, after, RUN_LIMITS.eventPage, TAIL_MILLISECONDS);
  return read.ok ? read.value : null;
}

function eventText({ sequence, ...event }: RunEvent): string {
  return `id: ${sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
