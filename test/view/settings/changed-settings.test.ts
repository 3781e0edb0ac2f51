import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditAct } from '../../../src/audit/audit-act.ts';
import { digestOf } from '../../../src/core/digest.ts';
import { changedSettings } from '../../../src/view/settings/changed-settings.ts';
import { OrgSettings } from '../../../src/view/settings/org-settings.ts';

describe('changed settings', () => {
  it('are named by their parts, with the digests of what they were and are', () => {
    const before = OrgSettings.parse({ listing: { entryCharacters: 100 }, states: { a: 'off' } });
    const after = OrgSettings.parse({ hooks: { http: 'run' }, states: { b: 'off' } });
    expect(changedSettings(before, after)).toEqual([
      { key: 'hooks.http', before: digestOf('"host"'), after: digestOf('"run"') },
      { key: 'listing.entryCharacters', before: digestOf('100'), after: digestOf('250') },
      { key: 'states', before: digestOf('{"a":"off"}'), after: digestOf('{"b":"off"}') },
    ]);
  });

  it('are none where nothing is other than it was, and where the defaults are written out', () => {
    const same = OrgSettings.parse({ flags: ['x'] });
    expect(changedSettings(same, OrgSettings.parse({ flags: ['x'] }))).toEqual([]);
    expect(changedSettings(null, OrgSettings.parse({}))).toEqual([]);
  });

  it('have nothing of their values in them', () => {
    const secret = fc.stringMatching(/^[A-Z]{8,20}$/);
    fc.assert(
      fc.property(secret, (text) => {
        const settings = OrgSettings.parse({
          models: { aliases: { opus: text } },
          agents: { [text]: { states: { [text]: 'off' } } },
          states: { [text]: 'off' },
          permissions: { deny: [`Bash(${text}:*)`], ask: [`Skill(${text})`] },
          bundled: { off: [text] },
        });
        const changed = [
          ...changedSettings(null, settings),
          ...changedSettings(settings, OrgSettings.parse({})),
        ];
        expect(changed).toHaveLength(12);
        expect(JSON.stringify(changed)).not.toContain(text);
        AuditAct.parse({ act: 'settings_changed', subject: 'settings', details: { revision: 1, changed } });
      }),
    );
  });
});
