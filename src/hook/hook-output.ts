import { z } from 'zod';
import type { Json } from '../core/canonical-json.ts';
import { nestsDeeper } from '../core/json-depth.ts';
import { JSON_LIMITS } from '../core/limits.ts';
import { parseJson } from '../view/json-document.ts';

/** What a hook said in JSON, as far as it stops something. Everything else in it is the host's to read. */
const Said = z.looseObject({
  decision: z.string().nullish().catch(null),
  reason: z.string().nullish().catch(null),
  continue: z.boolean().nullish().catch(null),
  stopReason: z.string().nullish().catch(null),
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.string().nullish().catch(null),
      permissionDecisionReason: z.string().nullish().catch(null),
      decision: z
        .looseObject({ behavior: z.string(), message: z.string().nullish().catch(null) })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

const JsonObject: z.ZodType<Readonly<Record<string, Json>>> = z.record(z.string(), z.json());

/** The JSON object that a hook answered, null for anything else, and for one that is too deep. */
export function hookOutput(text: string): Readonly<Record<string, Json>> | null {
  const value = text.trimStart().startsWith('{') ? parseJson(z.unknown(), text) : null;
  return nestsDeeper(value, JSON_LIMITS.depth) ? null : (JsonObject.safeParse(value).data ?? null);
}

/** Why a hook's answer stops what it was asked about; null where it does not. */
export function blockReason(output: Readonly<Record<string, Json>>): string | null {
  const said = Said.safeParse(output).data;
  if (!said) return null;
  const { decision, reason, continue: goesOn, stopReason, hookSpecificOutput: specific } = said;
  if (decision === 'block' || decision === 'deny') return reason ?? UNSAID;
  if (specific?.permissionDecision === 'deny') return specific.permissionDecisionReason ?? reason ?? UNSAID;
  if (specific?.decision?.behavior === 'deny') return specific.decision.message ?? UNSAID;
  return goesOn === false ? (stopReason ?? UNSAID) : null;
}

const UNSAID = 'a hook stopped it without saying why';
