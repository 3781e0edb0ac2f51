import { POLICY_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { ruleInvalid } from './rule-invalid.ts';
import { parseSpecifier, type Specifier, specifiersMeet } from './specifier.ts';
import { type ReadCall, readCall, type ToolCall } from './tool-call.ts';
import { intendedTool, specifierKind } from './tool-kind.ts';
import { compileWildcard, type TextMatcher, wildcardsMeet } from './wildcard.ts';

/** A rule's pattern: `Bash(git diff:*)` is the tool `Bash` with the specifier `git diff:*`. */
export interface Pattern {
  /** As it was written, trimmed. */
  readonly text: string;
  /** May hold `*`. */
  readonly tool: string;
  readonly matchesTool: TextMatcher;
  /** `null`: every call of the tool. */
  readonly specifier: Specifier | null;
}

const TOOL = /^[A-Za-z_*][A-Za-z0-9_.:/*-]*$/;
const MCP_SERVER = /^mcp__(?:(?!__)[^*])+$/;
const LEADING_TOOL = /^\s*([A-Za-z_*][A-Za-z0-9_.:/*-]*)\s*(?:\(|$)/;

/**
 * Reads `Tool` or `Tool(specifier)`. Errors: `rule_invalid`, for what cannot match anything it seems to say, such as a
 * missing parenthesis, a known tool in another case, or a compound command.
 */
export function parsePattern(written: string): Result<Pattern> {
  const text = written.trim();
  if (text.length > POLICY_LIMITS.ruleCharacters) {
    return fail(
      ruleInvalid(
        `a pattern of ${text.length} characters`,
        `Keep it to ${POLICY_LIMITS.ruleCharacters} characters.`,
      ),
    );
  }
  const opening = text.indexOf('(');
  const tool = opening < 0 ? text : text.slice(0, opening);
  if (!TOOL.test(tool)) {
    return fail(ruleInvalid(`"${text}" does not begin with a tool`, 'Write Tool or Tool(specifier).'));
  }
  const intended = intendedTool(tool);
  if (intended !== tool) {
    return fail(ruleInvalid(`there is no tool "${tool}"`, `Names are case-sensitive: write ${intended}.`));
  }
  if (opening < 0) return ok(toolPattern(text, tool));
  if (!text.endsWith(')')) {
    return fail(ruleInvalid(`"${text}" has no closing parenthesis`, 'Write Tool(specifier).'));
  }
  const inner = text.slice(opening + 1, -1).trim();
  if (inner === '') {
    return fail(ruleInvalid(`"${text}" has nothing in its parentheses`, `Write ${tool} to mean all of it.`));
  }
  if (inner === '*') return ok(toolPattern(text, tool));
  const specifier = parseSpecifier(inner, specifierKind(tool));
  return specifier.ok ? ok({ ...toolPattern(text, tool), specifier: specifier.value }) : specifier;
}

/** A pattern for every call of a tool. `mcp__server` means all its tools. */
export function toolPattern(text: string, tool: string): Pattern {
  const matchesName = compileWildcard(tool, 'text');
  const below = MCP_SERVER.test(tool) ? `${tool}__` : null;
  const matchesTool = (name: string): boolean =>
    matchesName(name) || (below !== null && name.startsWith(below));
  return { text, tool, matchesTool, specifier: null };
}

/** The tool that an unreadable pattern is plainly about, or `null`. */
export function readableTool(written: string): string | null {
  const tool = LEADING_TOOL.exec(written)?.[1];
  return tool === undefined ? null : intendedTool(tool);
}

/** Whether one pattern alone covers the whole call, each simple command of it. */
export function matchesPattern(pattern: Pattern, call: ToolCall): boolean {
  return coverOf([pattern], readCall(call)) !== null;
}

/**
 * The pattern that lets each part of a call through, in order of the parts; `null` when a part has none. A tool trusted
 * whole covers also what could not be understood.
 */
export function coverOf<P extends Pattern>(patterns: readonly P[], call: ReadCall): P[] | null {
  const candidates = patterns.filter((pattern) => pattern.matchesTool(call.tool));
  const whole = candidates.find((pattern) => pattern.specifier === null);
  if (whole !== undefined) return [whole];
  if (call.parts === null) return null;
  const cover = call.parts.map((spellings) =>
    candidates.find(({ specifier }) => specifier !== null && spellings.some(specifier.permits)),
  );
  return cover.every((pattern) => pattern !== undefined) ? cover : null;
}

/** Whether some call could match both. */
export function patternsMeet(left: Pattern, right: Pattern): boolean {
  const sameTool =
    left.matchesTool(right.tool) || right.matchesTool(left.tool) || wildcardsMeet(left.tool, right.tool);
  if (!sameTool) return false;
  if (left.specifier === null || right.specifier === null) return true;
  return specifiersMeet(left.specifier, right.specifier);
}
