export interface CountingEnv {
  readonly env: Env;
  /** How often reads began while none was under way. */
  rounds(): number;
  reads(): number;
  writes(): number;
  /** Calls to Durable Objects. */
  objects(): number;
  reset(): void;
}

const READS: ReadonlySet<PropertyKey> = new Set(['get', 'getWithMetadata', 'list', 'head']);
const WRITES: ReadonlySet<PropertyKey> = new Set(['put', 'delete']);

/** The same bindings, with every storage operation counted. */
export function countingEnv(env: Env): CountingEnv {
  let counts = { rounds: 0, reads: 0, writes: 0, objects: 0 };
  let underWay = 0;
  const store = <Binding extends object>(binding: Binding): Binding =>
    new Proxy(binding, {
      get(target, property) {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]) => {
          if (WRITES.has(property)) counts.writes += 1;
          if (!READS.has(property)) return Reflect.apply(member, target, parameters);
          if (underWay === 0) counts.rounds += 1;
          counts.reads += 1;
          underWay += 1;
          return Promise.resolve(Reflect.apply(member, target, parameters)).finally(() => {
            underWay -= 1;
          });
        };
      },
    });
  const objects = <Binding extends object>(binding: Binding): Binding =>
    new Proxy(binding, {
      get(target, property) {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]) => {
          counts.objects += 1;
          return Reflect.apply(member, target, parameters);
        };
      },
    });
  return {
    env: {
      ...env,
      KV: store(env.KV),
      R2: store(env.R2),
      ORG: objects(env.ORG),
      RUN: objects(env.RUN),
      SEARCH: objects(env.SEARCH),
      SESSION: objects(env.SESSION),
    },
    rounds: () => counts.rounds,
    reads: () => counts.reads,
    writes: () => counts.writes,
    objects: () => counts.objects,
    reset: () => {
      counts = { rounds: 0, reads: 0, writes: 0, objects: 0 };
    },
  };
}
