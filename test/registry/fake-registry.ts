import type { Fetch } from '../../src/core/public-fetch.ts';
import { digestOf } from '../../src/core/digest.ts';

export const BASE = 'https://registry.example/base';
export const INDEX = `${BASE}/.well-known/agent-skills/index.json`;
export const OLDER_INDEX = `${BASE}/.well-known/skills/index.json`;
export const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** A registry of some texts by URL; everything else is not there. */
export class FakeRegistry {
  readonly pages = new Map<string, string | (() => Response)>();
  asked: string[] = [];

  readonly fetch: Fetch = async (url) => {
    this.asked.push(url);
    const page = this.pages.get(url);
    if (typeof page === 'function') return page();
    return page === undefined ? new Response('nothing here', { status: 404 }) : new Response(page);
  };

  /** An index of version 0.2.0, with the files that it names. */
  serve(skills: Readonly<Record<string, string>>, more: readonly unknown[] = []): void {
    const entries = Object.entries(skills).map(([name, text]) => {
      this.pages.set(`${BASE}/.well-known/agent-skills/${name}/SKILL.md`, text);
      const digest = digestOf(text);
      return { name, type: 'skill-md', description: 'Does it.', url: `${name}/SKILL.md`, digest };
    });
    this.pages.set(INDEX, JSON.stringify({ $schema: SCHEMA, skills: [...entries, ...more] }));
  }

  /** What was asked since the last time, without the base. */
  takeAsked(): string[] {
    const asked = this.asked.map((url) => url.replace(`${BASE}/.well-known/`, ''));
    this.asked = [];
    return asked;
  }
}
