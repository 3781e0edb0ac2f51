import { describe, expect, it } from 'vitest';
import { PLACEMENT, unsafeProperties } from '../../src/policy/safe-properties.ts';

const SAFE = [
  ['name', 'description', 'whenToUse', 'argumentHint', 'arguments', 'version', 'license', 'compatibility'],
  [
    'metadata',
    'userInvocable',
    'disableModelInvocation',
    'paths',
    'context',
    'agent',
    'model',
    'effort',
    'background',
    'persist',
  ],
  ['shortDescription', 'globs', 'alwaysApply', 'policy', 'interface', 'requires'],
].flat();

describe('unsafe properties', () => {
  it.each(SAFE)('%s is never one', (field) => {
    expect(unsafeProperties({ [field]: ['value'] })).toEqual([]);
  });

  it.each([
    'allowedTools',
    'disallowedTools',
    'hooks',
    'shell',
    'install',
    'somethingNew',
    'constructor',
    'Name',
  ])('%s is one when it says something', (field) => {
    for (const value of ['x', ['x'], { x: 1 }, 0, false, true]) {
      expect(unsafeProperties({ [field]: value })).toEqual([field]);
    }
    for (const value of [null, undefined, '', [], {}])
      expect(unsafeProperties({ [field]: value })).toEqual([]);
  });

  it('are where a prompt runs and on which model, for those who want to be asked', () => {
    const fields = { context: 'fork', agent: 'helper', model: 'opus', effort: 'high', shell: 'bash' };
    expect(unsafeProperties(fields)).toEqual(['shell']);
    expect(unsafeProperties(fields, PLACEMENT)).toEqual(['agent', 'context', 'effort', 'model', 'shell']);
    expect(unsafeProperties(fields, ['model'])).toEqual(['model', 'shell']);
    const silent = { context: 'inline', agent: null, model: null, effort: null };
    expect(unsafeProperties(silent, PLACEMENT)).toEqual([]);
  });

  it('are sorted', () => {
    expect(unsafeProperties({ shell: 'x', hooks: { a: 1 }, name: 'n', allowedTools: ['Bash'] })).toEqual([
      'allowedTools',
      'hooks',
      'shell',
    ]);
  });
});
