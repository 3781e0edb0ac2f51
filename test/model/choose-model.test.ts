import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../src/model/choose-model.ts';
import { ProvidersSettings, providersProblem } from '../../src/model/provider-settings.ts';

const PROVIDERS = ProvidersSettings.parse({
  claude: {
    kind: 'anthropic',
    key: 'organisation:ANTHROPIC',
    prices: { input: 3, output: 15 },
    models: {
      'claude-big': { contextTokens: 200_000, outputTokens: 64_000, prices: { input: 5, output: 25 } },
      'claude-small': {},
    },
  },
  router: { kind: 'openai', baseUrl: 'https://router.example/v1', models: { 'other/model': {} } },
  edge: { kind: 'workers-ai' },
  steps: { kind: 'runbook' },
});
const SETTINGS = {
  aliases: { opus: 'claude-big', cheap: 'edge/@cf/some/model' },
  default: 'claude-small',
  providers: PROVIDERS,
};

describe('the model of a run', () => {
  it.each([
    ['what is asked for', 'opus', ['claude-small'], 'claude', 'claude-big'],
    ['the skill’s', null, ['opus'], 'claude', 'claude-big'],
    ['the skill’s with a long window', null, ['OPUS[1m]'], 'claude', 'claude-big[1m]'],
    ['the agent’s, where the skill’s is unknown', null, ['gpt-99', 'cheap'], 'edge', '@cf/some/model'],
    ['the default', null, [null, 'gpt-99'], 'claude', 'claude-small'],
    ['the default for inherit', 'inherit', [], 'claude', 'claude-small'],
    ['one with a slash that is listed', 'other/model', [], 'router', 'other/model'],
    ['any model of a provider', 'claude/claude-next', [], 'claude', 'claude-next'],
  ])('is %s', (_what, asked, preferred, provider, model) => {
    expect(chooseModel(SETTINGS, asked, preferred, null)).toMatchObject({
      ok: true,
      value: { provider, model },
    });
  });

  it('has what its provider says of it', () => {
    expect(chooseModel(SETTINGS, 'opus', [], null)).toEqual({
      ok: true,
      value: {
        engine: 'anthropic',
        provider: 'claude',
        model: 'claude-big',
        baseUrl: null,
        key: 'organisation:ANTHROPIC',
        contextTokens: 200_000,
        outputTokens: 64_000,
        prices: { input: 5, output: 25 },
      },
    });
    expect(chooseModel(SETTINGS, 'claude-small', [], null)).toMatchObject({
      value: { prices: { input: 3, output: 15 } },
    });
  });

  it('is that of the run around it, where nobody says more', () => {
    const inherited = { engine: 'runbook' as const };
    expect(chooseModel(SETTINGS, null, [null, 'gpt-99'], inherited)).toEqual({ ok: true, value: inherited });
    expect(chooseModel(SETTINGS, 'inherit', ['opus'], inherited)).toEqual({ ok: true, value: inherited });
    expect(chooseModel(SETTINGS, null, ['opus'], inherited)).toMatchObject({
      value: { model: 'claude-big' },
    });
  });

  it.each(['runbook', 'steps', 'steps/anything'])('is none for %s', (asked) => {
    expect(chooseModel(SETTINGS, asked, [], null)).toEqual({ ok: true, value: { engine: 'runbook' } });
  });

  it('is none where there is no default', () => {
    const bare = { aliases: {}, default: null, providers: {} };
    expect(chooseModel(bare, null, ['opus'], null)).toEqual({ ok: true, value: { engine: 'runbook' } });
  });

  it.each(['gpt-99', 'claude', 'claude/', 'nobody/model', '__proto__', 'constructor/x'])(
    'is a problem where %s is asked for',
    (asked) => {
      expect(chooseModel(SETTINGS, asked, [], null)).toMatchObject({
        ok: false,
        error: { code: 'model_unknown' },
      });
    },
  );
});

describe('the URL of a provider', () => {
  const problem = (baseUrl: string, allowsLocal: boolean, kind = 'openai') =>
    providersProblem(ProvidersSettings.parse({ it: { kind, baseUrl } }), allowsLocal);

  it.each(['https://api.example.com/v1', 'https://93.184.215.14/v1'])('may be %s', (url) => {
    expect(problem(url, false)).toBeNull();
  });

  it.each(['http://localhost:11434/v1', 'http://192.168.1.2/v1'])(
    'may be %s on one’s own machine alone',
    (url) => {
      expect(problem(url, true)).toBeNull();
      expect(problem(url, false)).toMatchObject({ code: 'bad_request', at: 'models.providers.it.baseUrl' });
    },
  );

  it.each(['file:///etc/passwd', 'no url', ''])('is never %j', (url) => {
    expect(problem(url, true)).toMatchObject({ code: 'bad_request' });
  });

  it('is nothing that Workers AI has', () => {
    expect(problem('https://api.example.com', true, 'workers-ai')).toMatchObject({ code: 'bad_request' });
  });
});
