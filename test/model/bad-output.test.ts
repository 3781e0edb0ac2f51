import { describe, expect, it } from 'vitest';
import { fail } from '../../src/core/result.ts';
import { engineOf } from '../../src/model/engine.ts';
import { ModelReply, type ModelTry } from '../../src/model/model.ts';
import {
  answered,
  choiceOf,
  HTTP_ENGINES,
  newKey,
  portsWith,
  requestOf,
  testEngine,
  TIMES,
} from './support.ts';

/** What goes wrong, by the test servers' names for it, and the outcome that it must have. */
const FAILURES = [
  ['empty', 'model_output_invalid', 'empty'],
  ['ended', 'model_output_invalid', ''],
  ['closed', '', ''],
  ['garbage', 'model_output_invalid', ''],
  ['huge', 'model_output_invalid', 'characters'],
  ['many-calls', 'model_output_invalid', 'calls'],
  ['down', 'model_unavailable', 'Overloaded (HTTP 529, 2 times)'],
  ['busy-for-an-hour', 'model_unavailable', 'come back later (HTTP 429)'],
  ['moved', 'model_refused_request', 'redirect'],
  ['too-long', 'context_exceeded', 'too long'],
  ['nobody-has-this', 'model_refused_request', '404'],
] as const;

describe.each(HTTP_ENGINES)('%s and bad output', (engine) => {
  it.each(FAILURES)('%s is %s', async (model, stopReason, text) => {
    const reply = await testEngine(engine, model, { tries: 2 }).next(requestOf('Hello'));
    expect(ModelReply.parse(reply)).toMatchObject({ kind: 'failed' });
    if (reply.kind !== 'failed') return;
    // A connection that is cut is noticed as such, or as an answer that is not whole.
    expect(stopReason === '' ? ['model_unavailable', 'model_output_invalid'] : [stopReason]).toContain(
      reply.stopReason,
    );
    expect(reply.text).toContain(text);
  });

  it.each([
    ['hang', { idleMilliseconds: 300 }],
    ['mute', { idleMilliseconds: 300 }],
    ['drip', { callMilliseconds: 900 }],
  ])('%s runs out of time, once', async (model, times) => {
    const tries: ModelTry[] = [];
    const began = Date.now();
    const reply = await testEngine(engine, model, times).next(requestOf('Hello'), {
      onTry: (t) => tries.push(t),
    });
    expect(reply).toMatchObject({ kind: 'failed', stopReason: 'model_timed_out' });
    expect(tries).toEqual([]);
    expect(Date.now() - began).toBeLessThan(8_000);
  });

  it.each([
    ['cut-call', 'Bash', 'cut off'],
    ['bad-json', 'Bash', 'not a JSON object'],
    ['no-object', 'Bash', 'not a JSON object'],
    ['strange-tool', 'rm_-rf_____', 'no tool'],
    ['deep', 'Bash', 'not a JSON object'],
  ])('%s is a call that is answered and not made', async (model, tool, why) => {
    const request = requestOf('Go.');
    const reply = await testEngine(engine, model).next(request);
    expect(reply).toMatchObject({ kind: 'calls', calls: [{ tool, input: {} }] });
    if (reply.kind !== 'calls') return;
    expect(reply.calls[0]?.invalid).toContain(why);
    // And its provider takes the conversation with such a call in it.
    const next = await testEngine(engine, 'hello').next(answered(request, reply, [why]));
    expect(next).toMatchObject({ kind: 'final' });
  });

  it('a tool that nobody has is a call like others', async () => {
    const reply = await testEngine(engine, 'unknown-tool').next(requestOf('Go.'));
    expect(reply).toMatchObject({ kind: 'calls', calls: [{ tool: 'Teleport', input: { to: 'Mars' } }] });
  });

  it('says where text was cut off, and that a model would not', async () => {
    expect(await testEngine(engine, 'cut-text').next(requestOf('Go.'))).toMatchObject({
      kind: 'final',
      text: 'This sentence has no',
      stopReason: 'output_limit',
    });
    expect(await testEngine(engine, 'refuses').next(requestOf('Go.'))).toMatchObject({
      kind: 'final',
      stopReason: 'model_refused',
    });
  });

  it('an empty answer is paid for as often as it was asked for', async () => {
    const reply = await testEngine(engine, 'empty', { tries: 3 }).next(requestOf('Hello'));
    expect(reply).toMatchObject({ kind: 'failed', usage: { outputTokens: 21 } });
    if (reply.kind === 'failed') expect(reply.text).toContain('3 times');
  });

  it('a key that is not taken ends the call at once', async () => {
    const tries: ModelTry[] = [];
    const reply = await testEngine(engine, 'hello', {}, 'wrong').next(requestOf('Hello'), {
      onTry: (failed) => tries.push(failed),
    });
    expect(reply).toMatchObject({ kind: 'failed', stopReason: 'model_refused_key' });
    expect(tries).toEqual([]);
  });

  it('a key is never shown, whatever the provider says', async () => {
    const reply = await testEngine(engine, 'repeats-key', {}, 'sk-secret-of-the-test').next(
      requestOf('Hello'),
    );
    expect(reply).toMatchObject({ kind: 'failed', stopReason: 'model_refused_request' });
    expect(JSON.stringify(reply)).not.toContain('sk-secret');
  });

  it('a key that is not there, a private URL and a dead server have names too', async () => {
    const choice = choiceOf(engine, 'hello');
    const missing = portsWith('', { key: async () => fail('there is no secret TEST') });
    expect(await engineOf(choice, missing, TIMES).next(requestOf('Hello'))).toEqual({
      kind: 'failed',
      stopReason: 'model_refused_key',
      text: 'there is no secret TEST',
    });
    const closed = portsWith(newKey(), { allowsLocal: false });
    expect(await engineOf(choice, closed, TIMES).next(requestOf('Hello'))).toMatchObject({
      kind: 'failed',
      stopReason: 'model_refused_request',
    });
    const dead = choiceOf(engine, 'hello', { baseUrl: 'http://127.0.0.1:9/v1' });
    const reply = await engineOf(dead, portsWith(newKey()), { ...TIMES, tries: 2 }).next(requestOf('Hello'));
    expect(reply).toMatchObject({ kind: 'failed', stopReason: 'model_unavailable' });
  });
});
