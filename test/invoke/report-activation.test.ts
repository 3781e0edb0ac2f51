import { describe, expect, it } from 'vitest';
import type { SkillEvent } from '../../src/invoke/event.ts';
import { reportActivation } from '../../src/invoke/report-activation.ts';
import { assembleView } from '../../src/view/view.ts';

describe('an activation that throws', () => {
  it('is an event, and still throws', async () => {
    const events: SkillEvent[] = [];
    const log = { emit: (_origin: unknown, event: SkillEvent) => void events.push(event) };
    const call = { skill: '/verify the login page', trigger: 'user', agent: 'main', session: 's' } as const;
    const work = () => Promise.reject(new Error('gone'));
    await expect(reportActivation(log, assembleView('acme', []), call, work)).rejects.toThrow('gone');
    expect(events).toMatchObject([
      {
        kind: 'skill_activated',
        skill: 'verify',
        revision: null,
        trigger: 'user',
        context: null,
        outcome: 'failed',
        code: 'internal',
        session: true,
        slash: true,
      },
    ]);
  });
});
