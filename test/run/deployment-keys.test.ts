import { describe, expect, it } from 'vitest';
import { deploymentKey } from '../../src/run/deployment-keys.ts';

const ENV = {
  MODEL_KEYS: JSON.stringify({
    FOR_ALL: { origin: 'https://api.anthropic.com' },
    FOR_ACME: { origin: 'https://api.openai.com', organisations: ['acme'] },
    NOT_SET: { origin: 'https://api.openai.com' },
  }),
  FOR_ALL: 'key-1',
  FOR_ACME: 'key-2',
  SECRETS_KEY: 'never',
};

describe('a key of the deployment', () => {
  it.each([
    ['FOR_ALL', 'beta', 'https://api.anthropic.com', 'key-1'],
    ['FOR_ACME', 'acme', 'https://api.openai.com', 'key-2'],
  ])('%s is for %s at %s', (name, organisation, origin, value) => {
    expect(deploymentKey(ENV, name, organisation, origin)).toEqual({ ok: true, value });
  });

  it.each([
    ['FOR_ALL', 'beta', 'https://evil.example'],
    ['FOR_ACME', 'beta', 'https://api.openai.com'],
    ['NOT_SET', 'acme', 'https://api.openai.com'],
    ['SECRETS_KEY', 'acme', 'https://api.openai.com'],
    ['constructor', 'acme', 'https://api.openai.com'],
  ])('%s is not for %s at %s', (name, organisation, origin) => {
    const answer = deploymentKey(ENV, name, organisation, origin);
    expect(answer.ok).toBe(false);
    expect(JSON.stringify(answer)).not.toMatch(/key-\d|never/);
  });

  it('is for nobody where MODEL_KEYS cannot be read', () => {
    expect(deploymentKey({ ...ENV, MODEL_KEYS: '{' }, 'FOR_ALL', 'a', 'https://api.anthropic.com').ok).toBe(
      false,
    );
  });
});
