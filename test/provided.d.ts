export type { ProvidedContext } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the test model servers are. */
    readonly models: string;
    /** Generated cases of each property about policy. */
    readonly policyCases: number;
  }
}
