import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    policyCases: number;
  }
}

/** How many cases each property about policy generates: 10,000, and by night ten times as many. */
export const CASES = inject('policyCases');
