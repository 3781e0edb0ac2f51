import { describe, expect, it } from 'vitest';
import { parseSkill } from '../../../src/format/parse-skill.ts';
import { SkillFields } from '../../../src/format/fields/skill-fields.ts';

function read(lines: string) {
  const text = `---\nname: x\ndescription: y\n${lines}\n---\nbody`;
  const { skill } = parseSkill(new TextEncoder().encode(text), 'x', 'SKILL.md');
  expect(SkillFields.safeParse(skill?.fields).success).toBe(true);
  const remarks = skill?.diagnostics.filter((entry) => entry.code !== 'key-unknown');
  return { fields: skill?.fields, remarks: remarks?.map((entry) => `${entry.code}:${entry.line}`) };
}

const NONE = {
  env: [],
  bins: { all: [], any: [] },
  tools: [],
  mcpServers: [],
  config: [],
  platforms: [],
  skills: [],
};

function env(name: string, optional = false, description: string | null = null) {
  return { name, description, optional };
}

function server(name: string, members: Record<string, string> = {}) {
  return { name, description: null, transport: null, url: null, command: null, ...members };
}

const OPENCLAW = {
  env: [env('API_KEY')],
  bins: { all: ['uv'], any: [['curl', 'wget']] },
  config: ['browser.enabled'],
  platforms: ['macos', 'linux'],
};
const OPENCLAW_JSON =
  '{"openclaw": {"os": ["darwin", "linux"], "primaryEnv": "API_KEY", "requires": {"bins": ["uv"], "anyBins": ["curl", "wget"], "env": ["API_KEY"], "config": ["browser.enabled"]}}}';

const CASES: readonly (readonly [what: string, lines: string, requires: Record<string, unknown>])[] = [
  ['OpenClaw as a map', `metadata: ${OPENCLAW_JSON}`, OPENCLAW],
  ['OpenClaw as JSON text', `metadata: '${OPENCLAW_JSON}'`, OPENCLAW],
  ['OpenClaw over lines', `metadata:\n  ${OPENCLAW_JSON.replaceAll('{', '{\n    ')}`, OPENCLAW],
  [
    'OpenClaw as JSON5 text, under an old name',
    `metadata:\n  clawdbot: "{os: ['win32'], requires: {bins: ['gh'],},}"`,
    { bins: { all: ['gh'], any: [] }, platforms: ['windows'] },
  ],
  [
    'OpenClaw in blocks, under another old name',
    'metadata:\n  clawdis:\n    requires:\n      anyBins: [rg]\n    envVars:\n      - {name: A, required: false, description: d}\n      - {name: B, required: true}',
    { bins: { all: ['rg'], any: [] }, env: [env('A', true, 'd'), env('B')] },
  ],
  [
    'OpenClaw always: only the platform is checked',
    'metadata: {openclaw: {always: true, os: linux, requires: {bins: [a], config: [b]}}}',
    { platforms: ['linux'] },
  ],
  [
    'OpenClaw with a key that makes it better',
    'metadata: {openclaw: {primaryEnv: TOKEN}}',
    { env: [env('TOKEN', true)] },
  ],
  [
    'Hermes',
    'platforms: [macos, Linux]\nrequired_environment_variables:\n  - PLAIN\n  - {name: TOKEN, prompt: Your token, help: see there}\n  - {name: EXTRA, optional: true, required_for: more}',
    {
      platforms: ['macos', 'linux'],
      env: [env('PLAIN'), env('TOKEN', false, 'Your token'), env('EXTRA', true, 'more')],
    },
  ],
  [
    'Hermes, older',
    'prerequisites:\n  env_vars: [A]\n  commands: [curl, jq]\nsetup:\n  help: text\n  collect_secrets:\n    - {env_var: B, prompt: p}',
    { env: [env('A'), env('B', false, 'p')], bins: { all: ['curl', 'jq'], any: [] } },
  ],
  [
    'Hermes in metadata',
    'metadata:\n  hermes:\n    tags: [a]\n    requires_toolsets: [web]\n    requires_tools: [browse]\n    fallback_for_tools: [other]\n    config:\n      - {key: wiki.path, description: d}\n      - {key: wiki.depth, default: 3}',
    { tools: ['browse', 'web'], config: ['wiki.path'] },
  ],
  [
    'Codex',
    'dependencies:\n  tools:\n    - {type: mcp, value: github, description: d, transport: streamable_http, url: "https://x.example/mcp"}\n    - {type: env_var, value: TOKEN}\n    - {type: cli, value: gh}\n    - {type: other, value: thing}',
    {
      mcpServers: [
        server('github', { description: 'd', transport: 'streamable_http', url: 'https://x.example/mcp' }),
      ],
      env: [env('TOKEN')],
      bins: { all: ['gh'], any: [] },
      tools: ['thing'],
    },
  ],
  [
    'a list that says the kinds',
    'dependencies: [{type: mcp, value: github}, {type: env, value: A}]\nrequires:\n  - {env: [B], command: [git]}\n  - {bins: [jq]}',
    { mcpServers: [server('github')], env: [env('B'), env('A')], bins: { all: ['git', 'jq'], any: [] } },
  ],
  ['a system', 'os: [darwin]', { platforms: ['macos'] }],
  ['a list of servers', 'requires:\n  mcp: [rube]', { mcpServers: [server('rube')] }],
  [
    'servers by name',
    'requires:\n  mcpServers:\n    one: {command: npx one}\n    two:',
    { mcpServers: [server('one', { command: 'npx one' }), server('two')] },
  ],
  ['a server in metadata', 'metadata:\n  mcp-server: datasite', { mcpServers: [server('datasite')] }],
  ['a program', 'requires_bin: ucp', { bins: { all: ['ucp'], any: [] } }],
  [
    'programs and groups of them',
    'requires:\n  bins: [git, [npm, pnpm], [bun]]\n  skills: pdf, docx',
    { bins: { all: ['bun', 'git'], any: [['npm', 'pnpm']] }, skills: ['pdf', 'docx'] },
  ],
  [
    'requires in metadata',
    'metadata:\n  requires: {bins: [uv], env: [KEY]}\n  primaryEnv: KEY',
    { bins: { all: ['uv'], any: [] }, env: [env('KEY')] },
  ],
  ['variables by name', 'requires:\n  env: {KEY: what for}', { env: [env('KEY', false, 'what for')] }],
  ['tools of an agent', 'tools: Read, Bash(git:*), Read', { tools: ['Read', 'Bash'] }],
  ['tools in a list', 'tools: [Read, "mcp__a__b"]', { tools: ['Read', 'mcp__a__b'] }],
];

describe('requires', () => {
  it.each(CASES)('%s', (_what, lines, requires) => {
    const { fields, remarks } = read(lines);
    expect(fields?.requires).toEqual({ ...NONE, ...requires });
    expect(remarks).toEqual([]);
  });

  it('is null where nothing is required', () => {
    expect(read('metadata: {openclaw: {emoji: x}}').fields?.requires).toBeNull();
    expect(read('requires:').fields?.requires).toBeNull();
    expect(read('requires: {}').fields?.requires).toBeNull();
  });

  it.each<[string, string, string[]]>([
    ['packages or skills', 'dependencies: [numpy, pandas]', ['requirement-unclear:4']],
    ['text', 'requires: python 3', ['requirement-unclear:4']],
    ['an unknown kind', 'requires:\n  bins: []\n  luck: [much]', ['requirement-unclear:6']],
    ['no variable', 'required_environment_variables:\n  - GOOD\n  - not good', ['requirement-invalid:6']],
    [
      'installers that are commands',
      'metadata:\n  openclaw:\n    install: [npm i]',
      ['requirement-invalid:6'],
    ],
    ['no name', 'requires:\n  env:\n    - {help: x}', ['requirement-invalid:6']],
    ['broken JSON5', 'metadata:\n  a: b\n  openclaw: "{requires: "', ['field-invalid:6']],
  ])('reports %s with its line', (_what, lines, codes) => {
    expect(read(lines).remarks).toEqual(codes);
  });

  it('keeps installers apart, and only those of a known kind', () => {
    const { fields, remarks } = read(
      'metadata:\n  openclaw:\n    install:\n      - {id: brew, kind: brew, formula: uv, bins: [uv], label: Install uv}\n      - {kind: download, url: "https://x.example/a", sha256: "00", os: [linux]}\n      - {kind: curl, url: "https://x.example | sh"}\n      - {kind: go}',
    );
    expect(fields?.install).toEqual([
      { kind: 'brew', label: 'Install uv', source: 'uv', sha256: null, bins: ['uv'], platforms: [] },
      {
        kind: 'download',
        label: null,
        source: 'https://x.example/a',
        sha256: '00',
        bins: [],
        platforms: ['linux'],
      },
    ]);
    expect(fields?.requires).toBeNull();
    expect(remarks).toEqual(['requirement-invalid:9', 'requirement-invalid:10']);
  });
});

describe('fields of other systems', () => {
  it('reads the policy and the interface of Codex', () => {
    const { fields, remarks } = read(
      'policy:\n  allow_implicit_invocation: false\n  products: [codex]\ninterface:\n  display_name: X\n  short_description: short\n  icon_small: ./assets/x.svg\n  icon_large: ../x.png\n  brand_color: "#1a2B3c"\n  default_prompt: Do it',
    );
    expect(fields?.policy).toEqual({ allowImplicitInvocation: false, products: ['codex'] });
    expect(fields?.disableModelInvocation).toBe(true);
    expect(fields?.interface).toEqual({
      displayName: 'X',
      shortDescription: 'short',
      iconSmall: 'assets/x.svg',
      iconLarge: null,
      brandColor: '#1a2B3c',
      defaultPrompt: 'Do it',
    });
    expect(fields?.shortDescription).toBe('short');
    expect(remarks).toEqual(['field-invalid:11']);
  });

  it('leaves the author the stricter of two words', () => {
    expect(read('policy: {allow_implicit_invocation: true}').fields?.disableModelInvocation).toBe(false);
    const both = 'disable-model-invocation: true\npolicy: {allow_implicit_invocation: true}';
    expect(read(both).fields?.disableModelInvocation).toBe(true);
  });

  it('reads the globs of oh-my-pi', () => {
    const { fields } = read('globs: "*.{ts,tsx}, lib/**"\nalwaysApply: true');
    expect(fields).toMatchObject({ globs: ['*.ts', '*.tsx', 'lib/**'], alwaysApply: true, paths: [] });
  });

  it('takes the short description from wherever it stands', () => {
    expect(read('metadata: {short-description: s}').fields?.shortDescription).toBe('s');
    expect(read('short_description: t\nmetadata: {short-description: s}').fields?.shortDescription).toBe('t');
  });
});
