/** How a file is read: by people and agents, by an interpreter, or as data. */
export interface FileKind {
  readonly reader: 'agent' | 'interpreter' | 'data';
  /** What its comments and strings look like. */
  readonly syntax: Syntax;
}
export type Syntax = 'markdown' | 'hash' | 'python' | 'slashes' | 'dashes' | 'markup' | 'none';

const SYNTAXES: Readonly<Record<string, Syntax>> = {
  sh: 'hash',
  bash: 'hash',
  zsh: 'hash',
  fish: 'hash',
  command: 'hash',
  ps1: 'hash',
  psm1: 'hash',
  py: 'python',
  pyw: 'python',
  rb: 'hash',
  pl: 'hash',
  pm: 'hash',
  r: 'hash',
  jl: 'hash',
  tcl: 'hash',
  js: 'slashes',
  mjs: 'slashes',
  cjs: 'slashes',
  ts: 'slashes',
  mts: 'slashes',
  cts: 'slashes',
  tsx: 'slashes',
  jsx: 'slashes',
  go: 'slashes',
  rs: 'slashes',
  php: 'slashes',
  java: 'slashes',
  kt: 'slashes',
  swift: 'slashes',
  c: 'slashes',
  cc: 'slashes',
  cpp: 'slashes',
  cs: 'slashes',
  groovy: 'slashes',
  scala: 'slashes',
  lua: 'dashes',
  applescript: 'dashes',
  sql: 'dashes',
  bat: 'none',
  cmd: 'none',
  vbs: 'none',
};

const DATA: Readonly<Record<string, Syntax>> = {
  json: 'none',
  jsonc: 'slashes',
  json5: 'slashes',
  yml: 'hash',
  yaml: 'hash',
  toml: 'hash',
  ini: 'hash',
  cfg: 'hash',
  conf: 'hash',
  env: 'hash',
  tf: 'hash',
  hcl: 'hash',
  svg: 'markup',
  html: 'markup',
  htm: 'markup',
  xml: 'markup',
  csv: 'none',
};

/** Files without an ending that an interpreter reads by their name. */
const NAMED: Readonly<Record<string, Syntax>> = {
  makefile: 'hash',
  dockerfile: 'hash',
  justfile: 'hash',
  rakefile: 'hash',
  gemfile: 'hash',
  vagrantfile: 'hash',
  jenkinsfile: 'slashes',
};

/** By its name, else by its first line, else as text that an agent reads. */
export function fileKind(path: string, firstLine: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  const ending = dot === -1 ? '' : name.slice(dot + 1);
  const script = own(SYNTAXES, ending) ?? own(NAMED, name);
  if (script) return { reader: 'interpreter', syntax: script };
  if (firstLine.startsWith('#!')) return { reader: 'interpreter', syntax: interpreterSyntax(firstLine) };
  const data = own(DATA, ending);
  if (data) return { reader: 'data', syntax: data };
  return { reader: 'agent', syntax: 'markdown' };
}

function interpreterSyntax(firstLine: string): Syntax {
  if (/python/.test(firstLine)) return 'python';
  if (/node|deno|bun|php/.test(firstLine)) return 'slashes';
  return /lua|osascript/.test(firstLine) ? 'dashes' : 'hash';
}

/** Of the word behind a fence: what its block would be as a file. Null: a block that nobody runs. */
export function fenceSyntax(language: string): Syntax | null {
  if (language === '') return 'hash';
  const name = own(LANGUAGES, language) ?? language;
  return own(SYNTAXES, name) ?? null;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  shell: 'sh',
  console: 'sh',
  'shell-session': 'sh',
  terminal: 'sh',
  '!': 'sh',
  powershell: 'ps1',
  pwsh: 'ps1',
  python: 'py',
  python3: 'py',
  javascript: 'js',
  typescript: 'ts',
  node: 'js',
  ruby: 'rb',
  perl: 'pl',
  golang: 'go',
  rust: 'rs',
  dockerfile: 'sh',
  makefile: 'sh',
};

function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
