import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Collector } from '../../src/model/collect.ts';
import { FaultError } from '../../src/model/fault.ts';
import { ModelReply } from '../../src/model/model.ts';
import { replyOf, usageOf } from '../../src/model/reply.ts';
import { ModelUsage } from '../../src/model/usage.ts';
import { answered, requestOf } from './support.ts';

const BY = { engine: 'test', model: 'any', prices: { input: 1, output: 2 } };
const id = fc.constantFrom('', '1', 'a b', 'call_0');
const text = fc.string({ unit: 'binary', maxLength: 20 });
const tokens = fc.option(fc.double(), { nil: undefined });
const metadata = fc.option(fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue())), {
  nil: undefined,
});

/** Streams as no provider should send them: parts of blocks that never began, names that are none, counts that are none. */
const part = fc.oneof(
  fc.record({
    type: fc.constantFrom('text-start', 'text-end', 'reasoning-start', 'reasoning-end'),
    id,
    metadata,
  }),
  fc.record({ type: fc.constantFrom('text-delta', 'reasoning-delta'), id, delta: text, metadata }),
  fc.record({
    type: fc.constant('tool-call'),
    toolCallId: id,
    toolName: fc.oneof(fc.constant('Bash'), text),
    input: fc.oneof(fc.json(), text, fc.constant('{"command":"ls"}')),
    metadata,
  }),
);
const finish = fc.record({
  unified: fc.constantFrom('stop', 'length', 'content-filter', 'tool-calls', 'error', 'interrupted', 'other'),
  input: tokens,
  cached: tokens,
  output: tokens,
});
const stream = fc.tuple(fc.array(part, { maxLength: 12 }), fc.option(finish, { nil: null }));

function collect([parts, end]: typeof stream extends fc.Arbitrary<infer Value> ? Value : never): Collector {
  const collector = new Collector(() => undefined);
  // Through JSON, as it comes: so that the types of the packages are nothing that the test relies on.
  const given = parts.map(({ metadata: providerMetadata, ...rest }) => ({ ...rest, providerMetadata }));
  for (const each of given) Reflect.apply(collector.add, collector, [each]);
  if (end !== null) {
    const usage = {
      inputTokens: { total: end.input, noCache: undefined, cacheRead: end.cached, cacheWrite: undefined },
      outputTokens: { total: end.output, text: undefined, reasoning: undefined },
    };
    Reflect.apply(collector.add, collector, [
      { type: 'finish', finishReason: { unified: end.unified, raw: undefined }, usage },
    ]);
  }
  return collector;
}

describe('whatever a provider streams', () => {
  it('is a reply that can be stored, with calls told apart, or a fault with a name', () => {
    fc.assert(
      fc.property(stream, stream, (first, second) => {
        let request = requestOf('Go.');
        const seen = new Set<string>();
        for (const streamed of [first, second]) {
          let reply: ModelReply;
          const collector = collect(streamed);
          const usage = collector.usage && usageOf(collector.usage, BY);
          expect(ModelUsage.nullable().parse(usage)).toEqual(usage);
          try {
            reply = replyOf(collector.whole(), request, 'test');
          } catch (error) {
            expect(error).toBeInstanceOf(FaultError);
            return;
          }
          const stored = JSON.stringify(reply);
          expect(JSON.stringify(ModelReply.parse(JSON.parse(stored)))).toBe(stored);
          expect(reply.text.isWellFormed()).toBe(true);
          if (reply.kind !== 'calls') return;
          for (const call of reply.calls) {
            expect(call.tool).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
            expect(seen.has(call.id)).toBe(false);
            seen.add(call.id);
          }
          request = answered(request, reply, []);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
