import { DurableObject } from 'cloudflare:workers';
import { streamRunEvents } from '../../../src/http/run-stream.ts';
import type { RunStart } from '../../../src/invoke/runs/run-contract.ts';
import type { Model, ModelReply } from '../../../src/model/model.ts';
import { digestOf } from '../../../src/core/digest.ts';
import { productionDependencies } from '../../../src/run/dependencies.ts';
import { durableRuns } from '../../../src/run/durable-runs.ts';
import { RunObject } from '../../../src/run/run-object.ts';
import { DEFAULT_SETTINGS } from '../../../src/view/settings/org-settings.ts';
import { lowestLimits } from '../../../src/view/settings/run-limits.ts';

export { OrgObject } from '../../../src/org/org-object.ts';
export { SearchObject } from '../../../src/search/search-object.ts';
export { SessionObject } from '../../../src/session/session-object.ts';
export { RunObject };

const TURNS = 5;
const DIGEST = digestOf('x');
const EVENTS = 20;
const WAIT_MILLISECONDS = 20_000;

/** What a run cannot do without: the row, the alarm and the timer of each turn, and events that nobody keeps. */
export class FloorObject extends DurableObject {
  write(): void {
    this.#table();
    this.ctx.storage.sql.exec('INSERT INTO turn (text) VALUES (?)', 'a turn');
  }

  async turns(): Promise<void> {
    this.#table();
    for (let turn = 0; turn < TURNS; turn += 1) {
      this.ctx.storage.sql.exec('INSERT INTO turn (text) VALUES (?)', 'a turn');
      await this.ctx.storage.setAlarm(Date.now() + WAIT_MILLISECONDS);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await this.ctx.storage.deleteAlarm();
  }

  /** Nothing is left to do by then. */
  override alarm(): void {}

  override async fetch(): Promise<Response> {
    const encoder = new TextEncoder();
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(encoder.encode(`id: ${sent}\ndata: {"text":"word "}\n\n`));
        if (sent === EVENTS) controller.close();
      },
    });
    return new Response(stream);
  }

  #table(): void {
    this.ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS turn (number INTEGER PRIMARY KEY, text TEXT NOT NULL)',
    );
  }
}

/** A model that answers at once: with calls of a tool that has nothing to do, or with many words and no call. */
function instant(turns: number): Model {
  return {
    name: 'instant',
    async next({ messages }, watch = {}): Promise<ModelReply> {
      const said = messages.filter(({ role }) => role === 'assistant').length;
      if (said < turns - 1) {
        const call = { id: `call-${said}`, tool: 'Glob', input: { pattern: `${said}*` } };
        return { kind: 'calls', text: '', calls: [call] };
      }
      if (turns === 1)
        for (let word = 0; word < EVENTS; word += 1)
          watch.onDelta?.({ kind: word % 2 === 0 ? 'text' : 'thought', text: 'word ' });
      return { kind: 'final', text: 'done', stopReason: 'completed' };
    },
  };
}

RunObject.dependencies = (env) => ({
  ...productionDependencies(env),
  model: ({ limits }) => instant(limits.turns),
  events: { emit: () => undefined },
});

function startOf(id: string, turns: number): RunStart {
  return {
    version: 2,
    id,
    organisation: 'bench',
    skill: { name: 'bench', layer: 'org', revision: DIGEST, directory: '/skills/bench', files: [] },
    agent: { name: 'general-purpose', system: null, effort: null },
    actor: 'service',
    prompt: 'Go.',
    steps: [],
    model: { engine: 'runbook' },
    tools: { declared: ['Glob'], granted: ['Glob'], missing: [] },
    mcpServers: {},
    clientTools: [],
    limits: lowestLimits({ turns }),
    waitMilliseconds: 1_000,
    resultSchema: null,
    hooks: [],
    rules: [],
    settings: { hooks: DEFAULT_SETTINGS.hooks, events: DEFAULT_SETTINGS.events },
    parent: null,
    ancestors: [],
    states: [],
    scope: [],
    files: [],
    boundTo: null,
    startedBy: 'bench',
    fingerprint: DIGEST,
  };
}

interface BenchEnv extends Env {
  readonly FLOOR: DurableObjectNamespace<FloorObject>;
}

/** `/floor/WHAT` and `/run/WHAT`: the same of both, in an object that is new. */
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const floor = env.FLOOR.getByName(crypto.randomUUID());
    const runs = durableRuns(env.RUN);
    const id = `run_${crypto.randomUUID()}`;
    const address = { organisation: 'bench', id, boundTo: null };
    switch (pathname) {
      case '/floor/accept':
        await floor.write();
        return new Response('ok');
      case '/floor/turns':
        await floor.turns();
        return new Response('ok');
      case '/floor/stream':
        return floor.fetch(request);
      case '/run/accept': {
        const started = await runs.start(startOf(id, 1));
        return new Response(started.ok ? 'ok' : started.error.detail, { headers: { Run: id } });
      }
      case '/run/turns': {
        await runs.start(startOf(id, TURNS));
        const ended = await runs.read(address, WAIT_MILLISECONDS);
        return new Response(ended.ok && ended.value.status === 'succeeded' ? 'ok' : 'not ended');
      }
      case '/run/stream': {
        await runs.start(startOf(id, 1));
        const first = await runs.events(address, 0, EVENTS, 0);
        return first.ok ? streamRunEvents(runs, address, first.value) : new Response(first.error.detail);
      }
      default:
        return new Response('nothing', { status: 404 });
    }
  },
} satisfies ExportedHandler<BenchEnv>;
