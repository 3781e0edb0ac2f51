import type { Trust } from '../../src/catalog/provenance.ts';
import type { InstallDecision } from '../../src/view/settings/install-rules.ts';
import type { Verdict } from '../../src/scan/finding.ts';

/** What becomes of a skill, by where it is from and what a scan says of it, where an organisation sets nothing. */
export const CELLS: readonly [Trust, Verdict, InstallDecision][] = [
  ['builtin', 'safe', 'allow'],
  ['builtin', 'caution', 'allow'],
  ['builtin', 'dangerous', 'allow'],
  ['trusted', 'safe', 'allow'],
  ['trusted', 'caution', 'allow'],
  ['trusted', 'dangerous', 'block'],
  ['community', 'safe', 'allow'],
  ['community', 'caution', 'block'],
  ['community', 'dangerous', 'block'],
  ['agent-created', 'safe', 'allow'],
  ['agent-created', 'caution', 'allow'],
  ['agent-created', 'dangerous', 'ask'],
];
