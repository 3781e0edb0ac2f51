import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { AuditActor } from '../../src/audit/audit-act.ts';
import { shellBlocks } from '../../src/prompt/shell-blocks.ts';
import { digestOf } from '../../src/core/digest.ts';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import type { RunAddress, RunStart, RunView } from '../../src/invoke/runs/run-contract.ts';
import { type RunDependencies, productionDependencies } from '../../src/run/dependencies.ts';
import { durableRuns } from '../../src/run/durable-runs.ts';
import { RunObject } from '../../src/run/run-object.ts';
import { DEFAULT_SETTINGS } from '../../src/view/settings/org-settings.ts';
import { lowestLimits } from '../../src/view/settings/run-limits.ts';

export const ORGANISATION = 'acme';
export const runs = durableRuns(env.RUN);

const HOUR = 60 * 60 * 1000;

/** Blobs in memory that count what is read of them, and can be told to hang or to fail. */
export class TestBlobs {
  readonly read: string[] = [];
  readonly #contents = new Map<string, Uint8Array>();
  /** Called before each read, with the text that will be answered. */
  before: (text: string) => Promise<void> = async () => undefined;

  add(text: string | Uint8Array) {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    const sha256 = digestOf(bytes);
    this.#contents.set(sha256, bytes);
    return { sha256, size: bytes.length };
  }

  async readMany(wanted: readonly { space: string; digest: string }[]): Promise<(Uint8Array | null)[]> {
    const found = wanted.map(({ digest }) => this.#contents.get(digest) ?? null);
    for (const bytes of found) {
      const text = new TextDecoder().decode(bytes ?? new Uint8Array());
      this.read.push(text);
      await this.before(text);
    }
    return found;
  }
}

/** Runs with these dependencies step only when `step` or `drain` wakes them. */
export function useDependencies(overrides: Partial<RunDependencies> = {}): void {
  RunObject.dependencies = (bindings) => {
    const dependencies = productionDependencies(bindings);
    return {
      ...dependencies,
      // To the log alone.
      list: {
        tell: async (organisation, { reports }) => {
          if (reports.length > 0) await dependencies.list.tell(organisation, { listed: null, reports });
        },
      },
      pauseMilliseconds: HOUR,
      ...overrides,
    };
  };
}

let started = 0;

export interface Wanted extends Partial<Omit<RunStart, 'files' | 'skill'>> {
  files?: Record<string, string | Uint8Array>;
  skillFiles?: Record<string, { sha256: RunStart['fingerprint']; size: number; executable?: boolean }>;
}

export function startOf({ files = {}, skillFiles = {}, ...rest }: Wanted = {}): RunStart {
  started += 1;
  const prompt = rest.prompt ?? bash('echo hello');
  return {
    version: 2,
    id: `run_${started}_${crypto.randomUUID()}`,
    organisation: ORGANISATION,
    actor: 'service',
    skill: {
      name: 'steps',
      layer: 'org',
      revision: digestOf('revision'),
      directory: '/skills/steps',
      files: Object.entries(skillFiles).map(([path, { sha256, size, executable = false }]) => ({
        path,
        sha256,
        size,
        executable,
      })),
    },
    prompt,
    steps: shellBlocks(prompt),
    agent: { name: 'general-purpose', system: null, effort: null },
    model: { engine: 'runbook' },
    clientTools: [],
    limits: lowestLimits(),
    waitMilliseconds: RUN_LIMITS.defaultActionMilliseconds,
    resultSchema: null,
    hooks: [],
    settings: { hooks: DEFAULT_SETTINGS.hooks, events: DEFAULT_SETTINGS.events },
    parent: null,
    ancestors: ['org/steps'],
    scope: ['bundled', 'org'],
    states: [],
    tools: { declared: ['Bash'], granted: ['Bash'], missing: [] },
    mcpServers: {},
    rules: [],
    files: Object.entries(files).map(([path, content]) => ({
      path,
      content: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    })),
    boundTo: null,
    startedBy: 'test',
    fingerprint: digestOf('request'),
    ...rest,
  };
}

/** A prompt with one fenced block for each script. */
export function bash(...scripts: string[]): string {
  return scripts.map((script) => `\`\`\`bash\n${script}\n\`\`\``).join('\n\nthen\n\n');
}

export function stubOf(start: RunStart): DurableObjectStub<RunObject> {
  return env.RUN.getByName(`${start.organisation}/${start.id}`);
}

export function addressOf(
  { organisation, id }: Pick<RunStart, 'organisation' | 'id'>,
  boundTo: RunStart['boundTo'] = null,
): RunAddress {
  return { organisation, id, boundTo };
}

export async function view(start: RunStart): Promise<RunView> {
  const read = await runs.read(addressOf(start));
  if (!read.ok) throw new Error(`${read.error.code}: ${read.error.detail}`);
  return read.value;
}

/** Wakes a run until it ends. */
export async function drain(start: RunStart): Promise<RunView> {
  for (let wakes = 0; wakes < 400; wakes += 1) {
    const now = await view(start);
    if (now.endedAt !== null) return now;
    await runDurableObjectAlarm(stubOf(start));
  }
  throw new Error('the run did not end');
}

export async function ran(start: RunStart): Promise<RunView> {
  const answer = await runs.start(start);
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.detail}`);
  return drain(start);
}

/** One script in a run of its own: what it printed and how it ended. */
export async function shell(script: string, more: Wanted = {}) {
  const done = await ran(startOf({ ...more, prompt: bash(script) }));
  const step = done.steps.find((each) => each.kind === 'tool');
  return { output: step?.output ?? '', exitCode: step?.exitCode ?? -1, run: done };
}

/** Somebody of the organisation, as the audit log names people. */
export function person(label: string): AuditActor {
  return { organisation: ORGANISATION, label, kind: 'person' };
}
