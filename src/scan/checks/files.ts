import type { Finding } from '../finding.ts';
import type { RuleText } from '../rule.ts';
import type { Remark, ScannedFile } from './check.ts';
import { headOf, type Magic, magicOf } from './magic.ts';

const PROGRAM: RuleText = {
  id: 'compiled-program',
  category: 'structure',
  severity: 'warn',
  caution: true,
  version: 1,
  message: 'a compiled program, which no scan can look into, is among the files',
  remediation: 'Ask for its source, or build it yourself; do not run what cannot be read.',
};

const DISGUISED_PROGRAM: RuleText = {
  id: 'disguised-program',
  category: 'structure',
  severity: 'critical',
  caution: true,
  version: 1,
  message: 'a compiled program has the name of another kind of file',
  remediation: 'Remove the file; nothing honest needs this.',
};

const WRONG_KIND: RuleText = {
  id: 'wrong-kind-of-file',
  category: 'structure',
  severity: 'warn',
  caution: true,
  version: 1,
  message: 'the file is of another kind than its name says',
  remediation: 'Look at what it really is before anything opens it.',
};

const ARCHIVE: RuleText = {
  id: 'archive',
  category: 'structure',
  severity: 'info',
  caution: false,
  version: 1,
  message: 'an archive, whose contents were not scanned, is among the files',
  remediation: 'Unpack it and scan what is in it.',
};

const LOCKED_ARCHIVE: RuleText = {
  id: 'locked-archive',
  category: 'supply-chain',
  severity: 'critical',
  caution: true,
  version: 1,
  message: 'an archive with a password hides its contents from every scanner',
  remediation: 'Do not unpack it; ask for the files as they are.',
};

const DOUBLE_ENDING: RuleText = {
  id: 'double-ending',
  category: 'structure',
  severity: 'warn',
  caution: true,
  version: 1,
  message: 'a script is named as if it were a document',
  remediation: 'Rename the file to what it is, and read it first.',
};

const HIDDEN_SCRIPT: RuleText = {
  id: 'hidden-script',
  category: 'structure',
  severity: 'warn',
  caution: true,
  version: 1,
  message: 'a script lies in a hidden file or folder',
  remediation: 'Read it, and move it to where people see it.',
};

const STARTED_BY_ITSELF: RuleText = {
  id: 'started-by-itself',
  category: 'persistence',
  severity: 'info',
  caution: false,
  version: 1,
  message: 'a file that tools run without being asked is among the files',
  remediation: 'Read it before the folder is opened with a test runner, a package manager or an editor.',
};

const MANY_FILES: RuleText = {
  id: 'many-files',
  category: 'structure',
  severity: 'info',
  caution: false,
  version: 1,
  message: 'the skill has more files than a person can read',
  remediation: 'Leave out what the skill does not need.',
};

const LONG_SKILL: RuleText = {
  id: 'long-skill',
  category: 'structure',
  severity: 'info',
  caution: false,
  version: 1,
  message: 'the SKILL.md is longer than anybody reads, and costs that much of the context',
  remediation: 'Move what is not always needed into files that are read when they are.',
};

export const FILE_RULES: readonly RuleText[] = [
  PROGRAM,
  DISGUISED_PROGRAM,
  WRONG_KIND,
  ARCHIVE,
  LOCKED_ARCHIVE,
  DOUBLE_ENDING,
  HIDDEN_SCRIPT,
  STARTED_BY_ITSELF,
  MANY_FILES,
  LONG_SKILL,
];

/** More than all but a handful of 2,223 real skills. */
const MANY = 100;
/** Bytes of a SKILL.md; one in a hundred real ones has more than 39,000 characters. */
const LONG = 60_000;

const SCRIPT = /\.(?:sh|bash|zsh|ps1|bat|cmd|vbs|py|rb|pl|js|mjs|cjs|exe|scr|command|jar|lnk|hta)$/i;
const MEDIA = /\.(?:png|jpe?g|gif|webp|ico|bmp|pdf|woff2?|ttf|otf|mp3|mp4|wav)$/i;
const DOCUMENT_THEN_SCRIPT =
  /\.(?:pdf|docx?|xlsx?|pptx?|txt|md|png|jpe?g|gif|csv|mp4)\.(?:sh|bash|ps1|bat|cmd|vbs|py|js|exe|scr|command|jar|lnk|hta)$/i;
const BY_ITSELF =
  /(?:^|\/)(?:conftest\.py|sitecustomize\.py|usercustomize\.py|setup\.py|\.envrc|\.pre-commit-config\.yaml|binding\.gyp|\.vscode\/tasks\.json|\.git\/hooks\/[^/]+|\.husky\/[^/]+)$|\.pth$/;

/** What the names and the first bytes of a skill's files say. */
export function* checkFiles(files: readonly ScannedFile[]): Generator<Remark> {
  for (const { path, bytes } of files) {
    const magic = magicOf(bytes);
    const remark = (rule: RuleText, evidence: string, severity?: Finding['severity']): Remark => ({
      rule,
      path,
      evidence,
      ...(severity === undefined ? {} : { severity }),
    });
    const kind = kindFault(path, magic) ?? (MEDIA.test(path) && isScript(bytes) ? WRONG_KIND : null);
    if (kind) yield remark(kind, `${path} is ${NAMES[magic]}`);
    if (DOCUMENT_THEN_SCRIPT.test(path)) yield remark(DOUBLE_ENDING, path);
    if (SCRIPT.test(path) && /(?:^|\/)\.[^/]/.test(path)) yield remark(HIDDEN_SCRIPT, path);
    if (path === 'SKILL.md' && bytes.length > LONG) yield remark(LONG_SKILL, `${bytes.length} bytes`);
    if (BY_ITSELF.test(path)) yield remark(STARTED_BY_ITSELF, path);
  }
  if (files.length > MANY) yield { rule: MANY_FILES, path: 'SKILL.md', evidence: `${files.length} files` };
}

const NAMES: Readonly<Record<Magic, string>> = {
  program: 'a compiled program',
  bytecode: 'compiled bytecode',
  archive: 'an archive',
  'locked-archive': 'an archive with a password',
  media: 'an image, a font or a document',
  binary: 'binary',
  text: 'text',
};

function isScript(bytes: Uint8Array): boolean {
  return /^(?:#!|<\?php|<script|import |@echo)/i.test(headOf(bytes));
}

function kindFault(path: string, magic: Magic): RuleText | null {
  const named =
    SCRIPT.test(path) || /\.(?:md|txt|json|ya?ml|toml|html|svg|csv)$/i.test(path)
      ? 'text'
      : MEDIA.test(path)
        ? 'media'
        : null;
  const isProgram = magic === 'program' || magic === 'bytecode';
  const honest = named === null || /\.(?:exe|scr|jar)$/i.test(path);
  if (isProgram) return honest && !DOCUMENT_THEN_SCRIPT.test(path) ? PROGRAM : DISGUISED_PROGRAM;
  if (magic === 'locked-archive') return LOCKED_ARCHIVE;
  if (magic === 'archive') return named === null ? ARCHIVE : WRONG_KIND;
  if (named === 'text' && (magic === 'media' || magic === 'binary')) return WRONG_KIND;
  return null;
}
