import { z } from 'zod';
import { DigestSchema } from '../catalog/revision.ts';

/** What a rule looks for. */
export const Category = z.enum([
  'prompt-injection',
  'exfiltration',
  'credentials',
  'destructive',
  'persistence',
  'network',
  'obfuscation',
  'dynamic-execution',
  'traversal',
  'supply-chain',
  'mining',
  'privilege-escalation',
  'agent-configuration',
  'declared-tools',
  'remote-instructions',
  'trigger-quality',
  'structure',
]);
export type Category = z.infer<typeof Category>;

/** From what is worth knowing to what nobody should install. */
export const Severity = z.enum(['info', 'warn', 'critical']);
export type Severity = z.infer<typeof Severity>;

/** What a rule found in a skill's file. */
export const Finding = z.strictObject({
  rule: z.string(),
  ruleVersion: z.int().positive(),
  category: Category,
  /** The rule's own, or less where the text is about the act and does not do it. */
  severity: Severity,
  /** Below the skill's folder. */
  path: z.string(),
  /** From 1; of what is hidden in an encoding, the line that it is encoded in. */
  line: z.int().positive(),
  message: z.string(),
  /** What was found, in one line: cut, secrets taken out, hidden characters written as their numbers. */
  evidence: z.string(),
  /** What a person does about it. */
  remediation: z.string(),
  /**
   * What a suppression names: of rule, skill, path and the whole text that was found. It stays the same where lines move,
   * and changes with a character of what was judged.
   */
  hash: DigestSchema,
});
export type Finding = z.infer<typeof Finding>;

/** Dangerous: a critical finding. Caution: a warning of a rule that is marked for it, or a scan that did not finish. */
export const Verdict = z.enum(['safe', 'caution', 'dangerous']);
export type Verdict = z.infer<typeof Verdict>;

/** What a scan says of a skill: evidence, not a verdict of trust. */
export const ScanResult = z.strictObject({
  /** Of the whole set of rules: another set may find something else in the same bytes. */
  rules: z.int().positive(),
  verdict: Verdict,
  /** The worst first, and no more than a report holds; the verdict counts all of them. */
  findings: z.array(Finding),
  /** False where a limit or a fault kept something from being looked at: then `safe` is never said. */
  complete: z.boolean(),
});
export type ScanResult = z.infer<typeof ScanResult>;
