import { logEvent, logFault } from '../core/log.ts';
import type { EventLog } from '../invoke/event.ts';
import { type EventRecord, recordEvent } from './event-record.ts';

/** A deployment can have a data set of Workers Analytics Engine; without one, events are lines of its log. */
type EventBindings = Env & { readonly EVENTS?: AnalyticsEngineDataset };

/** Where events go. Neither place is waited for. */
export function eventLog({ EVENTS: dataset }: EventBindings): EventLog {
  return {
    emit: (origin, event) => {
      try {
        const record = recordEvent(origin, event);
        if (dataset) dataset.writeDataPoint(dataPoint(record));
        else
          logEvent(record.event, { organisation: record.organisation, ...record.texts, ...record.numbers });
      } catch (error) {
        // Its message could quote what is not to be told.
        logFault('event_lost', { kind: event.kind, reason: error instanceof Error ? error.name : 'unknown' });
      }
    },
  };
}

/**
 * blob1 is the kind and blob2 the organisation, which is the index as well; the texts of the event follow. Doubles are its
 * numbers. An unknown text is empty, an unknown number 0, and true is 1.
 */
function dataPoint({ event, organisation, texts, numbers }: EventRecord): AnalyticsEngineDataPoint {
  return {
    indexes: [organisation],
    blobs: [event, organisation, ...Object.values(texts).map((text) => text ?? '')],
    doubles: Object.values(numbers).map(Number),
  };
}
