import { describe, expect, it } from 'vitest';
import { isPlainText } from '../../src/core/plain-text.ts';
import { faultOf } from '../../src/model/fault.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const apiError = (statusCode: number, more: object = {}) => ({ message: 'said', statusCode, ...more });

describe('what was wrong with a try', () => {
  it.each([
    [apiError(400), 'model_refused_request', false],
    [apiError(401), 'model_refused_key', false],
    [apiError(402), 'model_refused_key', false],
    [apiError(403), 'model_refused_key', false],
    [apiError(404), 'model_refused_request', false],
    [apiError(408), 'model_unavailable', true],
    [apiError(409), 'model_unavailable', true],
    [apiError(413), 'context_exceeded', false],
    [apiError(422), 'model_refused_request', false],
    [apiError(429), 'model_unavailable', true],
    [apiError(500), 'model_unavailable', true],
    [apiError(529), 'model_unavailable', true],
    [apiError(200), 'model_output_invalid', true],
    [apiError(400, { message: 'prompt is too long: 9 tokens > 8 maximum' }), 'context_exceeded', false],
    [apiError(400, { code: 'context_length_exceeded' }), 'context_exceeded', false],
    [
      apiError(400, { responseBody: '{"error":"exceeds the available context size"}' }),
      'context_exceeded',
      false,
    ],
    [{ message: 'Overloaded', type: 'overloaded_error' }, 'model_unavailable', true],
    [{ message: 'oops', type: 'server_error', code: null }, 'model_unavailable', true],
    [{ message: 'what?', type: 'invalid_request_error' }, 'model_output_invalid', true],
    [new SyntaxError('Unexpected token'), 'model_output_invalid', true],
    ['a string', 'model_output_invalid', true],
    [null, 'model_output_invalid', true],
    [{ message: 7, statusCode: 'x', responseHeaders: [] }, 'model_output_invalid', true],
  ])('%j is %s', (error, failure, again) => {
    expect(faultOf(error, NOW)).toMatchObject({ failure, again });
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:09 GMT' }, 9_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '120', 'retry-after': '7' }, 120],
    [{ 'retry-after-ms': '-1', 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-3' }, null],
    [{}, null],
  ])('%j asks for a pause of %s ms', (responseHeaders, milliseconds) => {
    expect(faultOf(apiError(503, { responseHeaders }), NOW).retryAfterMilliseconds).toBe(milliseconds);
  });

  it('is told in one short line, and nothing of what was said about a key', () => {
    const long = faultOf(apiError(500, { message: `a\u001b[31m\n${'x'.repeat(10_000)}` }), NOW).detail;
    expect(long.length).toBeLessThanOrEqual(300);
    expect(isPlainText(long)).toBe(true);
    expect(faultOf(apiError(401, { message: 'Incorrect key: sk-abc' }), NOW).detail).not.toContain('sk-');
  });
});
