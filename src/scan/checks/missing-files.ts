import type { RuleText } from '../rule.ts';
import type { Remark, ScannedFile, SkillFacts } from './check.ts';

const MISSING_FILE: RuleText = {
  id: 'missing-file',
  category: 'structure',
  severity: 'info',
  caution: false,
  version: 1,
  message: 'the instructions name a file of the skill that is not there',
  remediation: 'Add the file, or take the reference out: whoever makes up the file later is obeyed.',
};

export const MISSING_FILE_RULES: readonly RuleText[] = [MISSING_FILE];

/** What a reference begins with: a link, or a name in inline code below a folder that skills have. */
const LINK = '](';
const FOLDERS = ['references', 'reference', 'scripts', 'assets', 'templates', 'resources'];
const NAME = new RegExp(`\`(?=(${FOLDERS.join('|')})/)`, 'g');
const PATH = /(?:\.\/)?([\w-][\w./-]{0,120}\.(?:md|txt|py|sh|js|ts|json|ya?ml))(?:#[^)\s]{0,80})?[)`]/y;

/** Whether the files that a skill speaks of are among its own; one remark, for one that is not. */
export function* checkMissingFiles(files: readonly ScannedFile[], { body }: SkillFacts): Generator<Remark> {
  const known = new Set(files.map(({ path }) => path));
  for (const path of referencesIn(body)) {
    if (known.has(path) || path.includes('..')) continue;
    yield { rule: MISSING_FILE, path: 'SKILL.md', evidence: path };
    return;
  }
}

/** Links first, then names by their folder. */
function* referencesIn(body: string): Generator<string> {
  for (let at = body.indexOf(LINK); at !== -1; at = body.indexOf(LINK, at + LINK.length)) {
    const path = pathAt(body, at + LINK.length);
    if (path !== undefined) yield path;
  }
  const names = [...body.matchAll(NAME)].map(({ index, 1: folder = '' }) => ({
    path: pathAt(body, index + 1),
    order: FOLDERS.indexOf(folder),
  }));
  for (const { path } of names.toSorted((left, right) => left.order - right.order))
    if (path !== undefined) yield path;
}

function pathAt(body: string, at: number): string | undefined {
  PATH.lastIndex = at;
  return PATH.exec(body)?.[1];
}
