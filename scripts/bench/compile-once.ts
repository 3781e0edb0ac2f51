import { buildBundle } from '../lib/build-bundle.ts';

/** Compiles one folder in a process of its own and prints how many milliseconds it took, loading of modules not counted. */
const [directory = '', output = ''] = process.argv.slice(2);
const result = await buildBundle([{ layer: 'org', directory }], output, []);
console.log(JSON.stringify({ milliseconds: result.milliseconds, skills: result.layers[0]?.skills }));
