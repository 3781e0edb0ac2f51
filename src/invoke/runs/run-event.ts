import { z } from 'zod';
import { RunStatus, StopReason } from './run-contract.ts';

const Step = z.int().nonnegative();
const StepKind = z.enum(['model', 'tool', 'wait', 'hook', 'compaction']);

/** What a run did, in the order in which it became durable. Texts are cut to what is worth watching. */
export const RunEventBody = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('run.started') }),
  /** An attempt of more than 1 repeats a step that was killed: what it told before counts no more. */
  z.strictObject({
    type: z.literal('step.started'),
    step: Step,
    kind: StepKind,
    attempt: z.int().min(1),
    tool: z.string().optional(),
    input: z.string().optional(),
  }),
  /** A part of a model's message, while it is made. */
  z.strictObject({ type: z.enum(['text', 'thought']), step: Step, text: z.string() }),
  /** A model was asked in vain, and will be asked again. */
  z.strictObject({
    type: z.literal('model.retry'),
    step: Step,
    attempt: z.int(),
    failure: z.string(),
    waitMilliseconds: z.number(),
  }),
  z.strictObject({
    type: z.literal('step.done'),
    step: Step,
    kind: StepKind,
    output: z.string().optional(),
    exitCode: z.int().optional(),
  }),
  z.strictObject({
    type: z.literal('run.waiting'),
    step: Step,
    action: z.string(),
    /** The run that waits, where it is one below this one. */
    run: z.string().optional(),
    kind: z.enum(['approval', 'tool_call']),
    tool: z.string(),
    until: z.string(),
  }),
  /** The log has reached its bound: what models say is left out from here on. */
  z.strictObject({ type: z.literal('text.cut') }),
  z.strictObject({ type: z.literal('run.ended'), status: RunStatus, stopReason: StopReason }),
]);
export type RunEventBody = z.infer<typeof RunEventBody>;

/** Numbered from 1 without gaps; `at` is Unix milliseconds. */
export type RunEvent = RunEventBody & { readonly sequence: number; readonly at: number };

export interface RunEventPage {
  readonly events: readonly RunEvent[];
  /** To go on behind. */
  readonly next: number;
  /** There will be no more than these. */
  readonly complete: boolean;
}
