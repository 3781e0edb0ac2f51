import { inject } from 'vitest';

/** How many cases each property about policy generates: 10,000, and by night ten times as many. */
export const CASES = inject('policyCases');
