import { z } from 'zod';
import { Trust } from '../../catalog/provenance.ts';
import { Verdict } from '../../scan/finding.ts';

/** What becomes of a skill that somebody publishes, each stricter than the one before. What is not allowed is held. */
export const InstallDecision = z.enum(['allow', 'ask', 'block']);
export type InstallDecision = z.infer<typeof InstallDecision>;

/** Where a skill is from, crossed with what a scan says of it, where the organisation says nothing stricter. */
export const INSTALL_MATRIX: Readonly<Record<Trust, Readonly<Record<Verdict, InstallDecision>>>> = {
  builtin: { safe: 'allow', caution: 'allow', dangerous: 'allow' },
  trusted: { safe: 'allow', caution: 'allow', dangerous: 'block' },
  community: { safe: 'allow', caution: 'block', dangerous: 'block' },
  'agent-created': { safe: 'allow', caution: 'allow', dangerous: 'ask' },
};

/** The deployment's own layer is shared, and no organisation's to rule over. */
const RuledTrust = Trust.exclude(['builtin']);

/** What an organisation says of installing: it can ask or refuse where the matrix does not, and never the other way. */
export const InstallSettings = z.strictObject({
  /** What its own trusted publishers count as. */
  publishers: z.enum(['trusted', 'community']).default('trusted'),
  decisions: z
    .partialRecord(RuledTrust, z.partialRecord(Verdict, InstallDecision))
    .superRefine((decisions, context) => {
      for (const trust of RuledTrust.options) {
        for (const verdict of Verdict.options) {
          const wished = decisions[trust]?.[verdict];
          const least = INSTALL_MATRIX[trust][verdict];
          if (wished !== undefined && strictestDecision(wished, least) !== wished) {
            context.addIssue({
              code: 'custom',
              path: [trust, verdict],
              message: `"${wished}" is less strict than "${least}"`,
            });
          }
        }
      }
    })
    .default({}),
});
export type InstallSettings = z.infer<typeof InstallSettings>;

export function strictestDecision(...decisions: readonly InstallDecision[]): InstallDecision {
  const order = InstallDecision.options;
  return order[Math.max(0, ...decisions.map((decision) => order.indexOf(decision)))] ?? 'block';
}
