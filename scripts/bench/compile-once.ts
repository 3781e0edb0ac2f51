import { buildBundle } from '../lib/build-bundle.ts';
import { loadTokenCounter } from '../lib/token-counter.ts';

/** Compiles one folder in a process of its own and prints how many milliseconds it took, loading of modules not counted. */
const [directory = '', output = ''] = process.argv.slice(2);
// The tokenizer's vocabulary is a module too, if a late one.
await loadTokenCounter();
const result = await buildBundle([{ layer: 'org', directory }], output, []);
console.log(JSON.stringify({ milliseconds: result.milliseconds, skills: result.layers[0]?.skills }));
