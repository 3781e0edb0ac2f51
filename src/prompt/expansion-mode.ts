import { z } from 'zod';
import { splitArguments } from './split-arguments.ts';
import { splitLikeClaude } from './split-like-claude.ts';

/** Whose rules fill in a body: our own, those of Claude Code as it is today, or as it was in the seed's days. */
export const ExpansionMode = z.enum(['default', 'claude-baseline', 'claude-today']);
export type ExpansionMode = z.infer<typeof ExpansionMode>;

export interface ExpansionRules {
  readonly split: (line: string) => string[];
  /** What becomes of `$2` where there is no such argument. */
  readonly missing: 'kept' | 'empty';
  /** What a call without arguments does to their placeholders: fills in nothing, or leaves the body alone. */
  readonly withoutArguments: 'empty' | 'untouched';
  /** `\$1` means `$1`. */
  readonly escapes: boolean;
  /** What was inserted is read again by the passes that come after. */
  readonly nested: boolean;
  /** In code, commands are examples; there and in sums of money, `$1` is no placeholder unless that argument is declared. */
  readonly sparesCode: boolean;
  /** `{baseDir}` and Hermes' variables are filled in too. */
  readonly foreignNames: boolean;
}

export const EXPANSION_RULES: Readonly<Record<ExpansionMode, ExpansionRules>> = {
  default: {
    split: splitArguments,
    missing: 'kept',
    withoutArguments: 'empty',
    escapes: true,
    nested: false,
    sparesCode: true,
    foreignNames: true,
  },
  'claude-today': {
    split: splitLikeClaude,
    missing: 'kept',
    withoutArguments: 'untouched',
    escapes: true,
    nested: false,
    sparesCode: false,
    foreignNames: false,
  },
  'claude-baseline': {
    split: splitLikeClaude,
    missing: 'empty',
    withoutArguments: 'untouched',
    escapes: false,
    nested: true,
    sparesCode: false,
    foreignNames: false,
  },
};
