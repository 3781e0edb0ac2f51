import { z } from 'zod';
import { RUN_LIMITS } from '../core/limits.ts';
import { RunStart } from '../invoke/runs/run-contract.ts';
import { DEFAULT_SETTINGS } from '../view/settings/org-settings.ts';

/** A start without its files: those are in the workspace. */
const Current = RunStart.omit({ files: true });

/** As the first release wrote it: with the engine `runbook` alone, and the limits of the deployment. */
const First = Current.omit({
  agent: true,
  model: true,
  clientTools: true,
  limits: true,
  waitMilliseconds: true,
  resultSchema: true,
  hooks: true,
  settings: true,
  parent: true,
  ancestors: true,
  scope: true,
})
  .extend({ version: z.literal(1), engine: z.literal('runbook') })
  .transform(({ engine, ...start }): z.infer<typeof Current> => ({
    ...start,
    version: 2,
    agent: { name: 'general-purpose', system: null, effort: null },
    model: { engine },
    clientTools: [],
    limits: {
      turns: 64,
      toolCalls: 128,
      tokens: RUN_LIMITS.tokens,
      cost: null,
      milliseconds: 15 * 60 * 1000,
      depth: 0,
    },
    waitMilliseconds: RUN_LIMITS.defaultActionMilliseconds,
    resultSchema: null,
    hooks: [],
    settings: { hooks: DEFAULT_SETTINGS.hooks, events: DEFAULT_SETTINGS.events },
    parent: null,
    ancestors: [],
    scope: [],
  }));

/** Reads a start as any release stored it. */
export const StoredStart = z.union([Current, First]);
export type StoredStart = z.infer<typeof StoredStart>;
