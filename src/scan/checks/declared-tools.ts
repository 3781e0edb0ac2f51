import type { RuleText } from '../rule.ts';
import type { Remark, ScannedFile, SkillFacts } from './check.ts';

const EVERY_TOOL: RuleText = {
  id: 'every-tool',
  category: 'declared-tools',
  severity: 'warn',
  caution: false,
  version: 1,
  message: 'the skill asks for every tool there is',
  remediation: 'Declare the tools that the instructions need, one by one.',
};

const ANY_COMMAND: RuleText = {
  id: 'any-command',
  category: 'declared-tools',
  severity: 'info',
  caution: false,
  version: 1,
  message: 'the skill asks to run any shell command',
  remediation: 'Declare the commands it needs, such as Bash(git diff:*).',
};

const UNDECLARED_SHELL: RuleText = {
  id: 'undeclared-shell',
  category: 'declared-tools',
  severity: 'warn',
  caution: false,
  version: 1,
  message: 'the instructions run commands that the declared tools do not cover',
  remediation: 'Declare the commands, or take them out of the instructions.',
};

const UNDECLARED_TOOL: RuleText = {
  id: 'undeclared-tool',
  category: 'declared-tools',
  severity: 'warn',
  caution: false,
  version: 1,
  message: 'the instructions need a tool that is not among those declared',
  remediation: 'Declare the tool, or take what needs it out of the instructions.',
};

const UNDECLARED_COMMAND: RuleText = {
  id: 'undeclared-command',
  category: 'declared-tools',
  severity: 'warn',
  caution: false,
  version: 1,
  message: 'the instructions run a command that reaches further than the declared ones',
  remediation: 'Declare the command, or take it out of the instructions.',
};

const UNDECLARED_HOOK: RuleText = {
  id: 'undeclared-hook',
  category: 'declared-tools',
  severity: 'warn',
  caution: false,
  version: 1,
  message: 'hooks of the skill run commands, and its declared tools do not',
  remediation: 'Take the hooks out, or declare what they run.',
};

const UNDECLARED_WRITES: RuleText = {
  id: 'undeclared-writes',
  category: 'declared-tools',
  severity: 'warn',
  caution: false,
  version: 1,
  message: 'the skill says that it only reads, and its instructions or scripts write or send',
  remediation: 'Say what it changes and where it sends, or take that out.',
};

const DANGEROUS_GRANT: RuleText = {
  id: 'dangerous-grant',
  category: 'declared-tools',
  severity: 'warn',
  caution: true,
  version: 1,
  message: 'the skill asks to run commands that no skill should run unasked',
  remediation: 'Leave these to a question each time.',
};

export const TOOL_RULES: readonly RuleText[] = [
  EVERY_TOOL,
  ANY_COMMAND,
  UNDECLARED_SHELL,
  UNDECLARED_TOOL,
  UNDECLARED_COMMAND,
  UNDECLARED_HOOK,
  UNDECLARED_WRITES,
  DANGEROUS_GRANT,
];

const SHELL = /^(?:Bash|Shell|shell|bash|execute|exec|run_terminal_cmd|terminal|runCommands|PowerShell)\b/;
const DANGEROUS =
  /^Bash\((?:sudo|su|rm|dd|mkfs\w*|chmod|chown|curl|wget|nc|ncat|socat|eval|bash|sh|zsh|ssh|scp|crontab|python3? -c|node -e|perl -e)(?:[ :][^)]*)?\)$/;
const BLOCK =
  /^[ \t]*(?:```|~~~)(?:bash|sh|zsh|shell|console|powershell|!)[^\n]*\n([\s\S]{0,400}?)^[ \t]*(?:```|~~~)/m;
/** A script or an interpreter that is to be run, or a command that a host runs while it shows the skill. */
const RUNS =
  /\b(?:run|execute|start|call)\b[^.\n]{0,30}`(?:(?:python3?|node|ruby|perl|deno|bun|bash|sh|npx|uv run)\s[^`\n]{1,120}|(?:\.\/)?scripts\/[^`\n]{1,120})`|(?:^|\s)!`[^`\n]{2,200}`/im;
/** What needs a tool, and the tools that any one of would do. */
const NEEDS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:WebFetch|WebSearch|web tools?|search the web|fetch (?:it|its page|the page) from)\b/,
    /^(?:Web|mcp__|fetch|browser)/i,
  ],
  [
    /^(?:[-*\d.]+\s+)?(?:Write|Save|Append)\b[^.\n]{0,60}\b(?:to|into|in)\s+`[^`\n]{2,120}`|\bedit\b[^.\n]{0,60}\s+in place\b/m,
    /^(?:Write|Edit|MultiEdit|NotebookEdit|create|apply_patch|mcp__)/i,
  ],
  [
    /\b(?:start|spawn|launch|use)\b[^.\n]{0,40}\b(?:sub-?agents?|Task tool)\b/i,
    /^(?:Task|Agent|runSubagent|spawn)/i,
  ],
];
/** Commands that reach further than others: out, into the system, or that delete. */
const REACHES =
  /^[ \t]*(?:\$ )?((?:sudo|curl|wget|ssh|scp|rm\s+-[rf]|npm\s+(?:i|install)|pip3?\s+install|git\s+push|docker\s+run|kubectl|terraform)\b[^\n]{0,120})/gm;

const ONLY_READS =
  /\b(?:read[- ]only|only reads?|never (?:writes?|modif\w+|changes?)|does not (?:write|modify|change|send|access the network|use the network)|no (?:network|internet) access|works? (?:fully |entirely |completely )?offline|without (?:any )?(?:network|internet))\b/i;
const WRITES =
  /\b(?:curl|wget|Invoke-WebRequest|requests\.(?:post|put|get)|urlopen|fetch\(|axios\.|http\.client|git push|rm -[rf]|writeFileSync|shutil\.(?:rmtree|move)|os\.remove|unlinkSync)\b/;
const SCRIPT = /\.(?:sh|bash|zsh|ps1|py|js|mjs|cjs|ts|rb|pl)$/i;

/** What the skill declares against what its instructions and scripts do. */
export function* checkTools(files: readonly ScannedFile[], { fields, body }: SkillFacts): Generator<Remark> {
  const { allowedTools } = fields;
  if (allowedTools.some((tool) => tool === '*' || tool === 'all' || tool === 'mcp__*'))
    yield remark(EVERY_TOOL, allowedTools.join(', '));
  const shell = allowedTools.filter((tool) => SHELL.test(tool));
  if (shell.some((tool) => /^\w+(?:\((?:\*|:\*)?\))?$/.test(tool)))
    yield remark(ANY_COMMAND, shell.join(', '));
  const granted = shell.find((tool) => DANGEROUS.test(tool));
  if (granted) yield remark(DANGEROUS_GRANT, granted);
  if (allowedTools.length > 0 && !allowedTools.includes('*')) {
    const block = BLOCK.exec(body);
    const declared = `declared: ${allowedTools.join(', ')}`;
    const run = block?.[1]?.trim().split('\n', 1)[0] ?? RUNS.exec(body)?.[0].trim();
    if (shell.length === 0) {
      if (run !== undefined) yield remark(UNDECLARED_SHELL, `${declared}; ${run}`);
      if (fields.hooks) yield remark(UNDECLARED_HOOK, declared);
      for (const [needed, tools] of NEEDS) {
        const found = allowedTools.some((tool) => tools.test(tool)) ? null : needed.exec(body);
        if (found) yield remark(UNDECLARED_TOOL, `${declared}; ${found[0]}`);
      }
    } else if (block) {
      const further = commandBeyond(shell, block[1] ?? '');
      if (further !== null) yield remark(UNDECLARED_COMMAND, `${declared}; ${further}`);
    }
  }
  const promise = ONLY_READS.exec(fields.description);
  if (promise) yield* brokenPromise(promise[0], files);
}

/** The first command of a block that reaches far and that no declared prefix begins; null where any may be run. */
function commandBeyond(shell: readonly string[], block: string): string | null {
  const prefixes = shell.map((tool) => /^\w+\(([^)*:]+)/.exec(tool)?.[1]?.trim() ?? '');
  if (prefixes.includes('')) return null;
  for (const [, command = ''] of block.matchAll(REACHES))
    if (!prefixes.some((prefix) => command.startsWith(prefix))) return command;
  return null;
}

function remark(rule: RuleText, evidence: string, path = 'SKILL.md'): Remark {
  return { rule, path, evidence };
}

function* brokenPromise(promise: string, files: readonly ScannedFile[]): Generator<Remark> {
  for (const { path, bytes } of files) {
    if (!SCRIPT.test(path)) continue;
    const act = WRITES.exec(new TextDecoder().decode(bytes.subarray(0, 256 * 1024)));
    if (!act) continue;
    yield remark(UNDECLARED_WRITES, `"${promise}", and ${act[0]}`, path);
    return;
  }
}
