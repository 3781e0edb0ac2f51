import { fail, ok, type Result } from '../../core/result.ts';
import type { ModelChoice } from '../../model/model-choice.ts';
import { fitToWindow, mergeListing, NO_WISHES } from '../../view/listing/list-skills.ts';
import type { BlobStore } from '../../view/ports.ts';
import type { View } from '../../view/view.ts';
import type { Agent } from './agent.ts';
import type { RunTools } from './run-contract.ts';
import { usesSkills } from './run-tools.ts';

/**
 * The system prompt of a run: its agent's, and where it can use skills, the listing that its caller sees, fitted to the
 * window of its own model. Null for the engine without a model.
 */
export async function runSystem(
  blobs: BlobStore,
  view: View,
  { system }: Agent,
  tools: RunTools,
  model: ModelChoice,
): Promise<Result<string | null>> {
  if (model.engine === 'runbook') return ok(null);
  if (!usesSkills(tools)) return ok(system);
  const merged = await mergeListing(blobs, view);
  if (!merged)
    return fail({
      code: 'storage_unavailable',
      detail: 'a listing index cannot be read now',
      hint: 'Try again in a few seconds.',
    });
  const { text } = fitToWindow(view, merged, model.contextTokens, { ...NO_WISHES, layout: 'reminder' });
  return ok(text === '' ? system : `${system}\n\n${text}`);
}
