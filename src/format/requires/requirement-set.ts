import { platformName } from './platform-name.ts';
import type { McpServer, Requires } from './requires.ts';

/** Gathers requirements; each is kept once, in the order of its first mention. */
export class RequirementSet {
  readonly #env = new Map<string, Requires['env'][number]>();
  readonly #bins = new Set<string>();
  readonly #anyBins = new Map<string, string[]>();
  readonly #servers = new Map<string, McpServer>();
  readonly #tools = new Set<string>();
  readonly #config = new Set<string>();
  readonly #platforms = new Set<string>();
  readonly #skills = new Set<string>();

  /** Named twice, a variable is optional only if it is so both times. */
  addEnv(name: string, description: string | null, optional: boolean): void {
    const known = this.#env.get(name);
    this.#env.set(name, {
      name,
      description: known?.description ?? description,
      optional: optional && (known?.optional ?? true),
    });
  }

  addBin(name: string): void {
    this.#bins.add(name);
  }

  /** One of these; a group of one is simply needed. */
  addAnyBins(names: readonly string[]): void {
    const [only] = names;
    if (only !== undefined && names.length === 1) this.#bins.add(only);
    else if (names.length > 1) this.#anyBins.set(names.join('\n'), [...names]);
  }

  addServer(server: McpServer): void {
    if (!this.#servers.has(server.name)) this.#servers.set(server.name, server);
  }

  /** `Bash(git:*)` needs the tool `Bash`. */
  addTool(name: string): void {
    const bare = name.split('(', 1)[0]?.trim();
    if (bare) this.#tools.add(bare);
  }

  addConfig(key: string): void {
    this.#config.add(key);
  }

  addPlatform(name: string): void {
    this.#platforms.add(platformName(name));
  }

  addSkill(name: string): void {
    this.#skills.add(name);
  }

  /** Null where nothing is required. */
  result(): Requires | null {
    const requires: Requires = {
      env: [...this.#env.values()],
      bins: { all: [...this.#bins], any: [...this.#anyBins.values()] },
      tools: [...this.#tools],
      mcpServers: [...this.#servers.values()],
      config: [...this.#config],
      platforms: [...this.#platforms],
      skills: [...this.#skills],
    };
    const { bins, ...lists } = requires;
    const count = Object.values(lists).reduce(
      (sum, list) => sum + list.length,
      bins.all.length + bins.any.length,
    );
    return count > 0 ? requires : null;
  }
}
