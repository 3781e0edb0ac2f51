import { BASE64 } from '../decode/base64.ts';
import { DISGUISED_CHARACTERS, DISGUISED_WORDS } from '../decode/disguises.ts';
import { ESCAPES } from '../decode/escapes.ts';
import type { PatternRule } from '../rule.ts';
import { RuleSet } from '../rule-set.ts';
import { AGENT_CONFIGURATION } from './agent-configuration.ts';
import { CREDENTIALS } from './credentials.ts';
import { DESTRUCTIVE } from './destructive.ts';
import { DYNAMIC_EXECUTION } from './dynamic-execution.ts';
import { EXFILTRATION } from './exfiltration.ts';
import { MINING } from './mining.ts';
import { NETWORK } from './network.ts';
import { OBFUSCATION } from './obfuscation.ts';
import { PERSISTENCE } from './persistence.ts';
import { PRIVILEGE_ESCALATION } from './privilege-escalation.ts';
import { PROMPT_INJECTION } from './prompt-injection.ts';
import { REMOTE_INSTRUCTIONS } from './remote-instructions.ts';
import { SUPPLY_CHAIN } from './supply-chain.ts';
import { TRAVERSAL } from './traversal.ts';

export const PATTERN_RULES: readonly PatternRule[] = [
  PROMPT_INJECTION,
  EXFILTRATION,
  CREDENTIALS,
  DESTRUCTIVE,
  PERSISTENCE,
  NETWORK,
  OBFUSCATION,
  DYNAMIC_EXECUTION,
  TRAVERSAL,
  SUPPLY_CHAIN,
  MINING,
  PRIVILEGE_ESCALATION,
  AGENT_CONFIGURATION,
  REMOTE_INSTRUCTIONS,
].flat();

let built: RuleSet | null = null;

/** Built when the first file is scanned: what only reads must not pay for it. */
export function ruleSet(): RuleSet {
  built ??= new RuleSet(PATTERN_RULES, [BASE64, ...ESCAPES, ...DISGUISED_CHARACTERS, DISGUISED_WORDS]);
  return built;
}
