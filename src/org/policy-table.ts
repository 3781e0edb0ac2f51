import { z } from 'zod';
import type { Layer } from '../catalog/layers.ts';
import { POLICY_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { PolicyRule } from '../policy/rule.ts';
import { signRules } from '../policy/written-rule.ts';
import { parseJson } from '../view/json-document.ts';
import { ruleLayerOf } from '../view/settings/layer-policy.ts';
import type { PolicyChange, StoredPolicy } from '../view/ports.ts';

const PolicyRow = z.object({ revision: z.number(), rules: z.string() });

export function readPolicy(sql: SqlStorage, layer: Layer): StoredPolicy {
  const [row] = sql.exec('SELECT revision, rules FROM policies WHERE layer = ?', layer).toArray();
  if (row === undefined) return { revision: 0, rules: [] };
  const { revision, rules } = PolicyRow.parse(row);
  const read = parseJson(z.array(PolicyRule), rules);
  // Without what they deny, a layer must not be decided about.
  if (read === null) throw new TypeError(`rules of ${layer} that cannot be read`);
  return { revision, rules: read };
}

/** Puts all rules of a layer in the place of those before. In a transaction. */
export function putPolicy(
  sql: SqlStorage,
  before: StoredPolicy,
  { layer, rules: sent, by, expected }: PolicyChange,
  now: number,
): Result<StoredPolicy> {
  if (expected !== null && expected !== before.revision) {
    return fail({
      code: 'settings_conflict',
      detail: 'the rules were changed since they were read',
      hint: 'Read them again, and send the change with the new ETag.',
      data: { revision: before.revision },
    });
  }
  const speaker = ruleLayerOf(layer);
  if (speaker === null) return fail(noRules(layer));
  const rules = signRules(sent, before.rules, speaker, by.label, now);
  const text = JSON.stringify(rules);
  if (text.length > POLICY_LIMITS.layerRulesCharacters) {
    return fail({
      code: 'bad_request',
      detail: `the rules have ${text.length} characters, more than ${POLICY_LIMITS.layerRulesCharacters}`,
      hint: 'Every request that names the layer reads them: write fewer, or shorter reasons.',
    });
  }
  const revision = before.revision + 1;
  sql.exec(
    'INSERT OR REPLACE INTO policies (layer, revision, rules) VALUES (?, ?, ?)',
    layer,
    revision,
    text,
  );
  return ok({ revision, rules });
}

function noRules(layer: Layer) {
  return {
    code: 'bad_request' as const,
    detail: `${layer} has no rules of its own`,
    hint: 'Rules are kept for org, project:ID and user:ID.',
  };
}
