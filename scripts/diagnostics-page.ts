import { writeFileSync } from 'node:fs';
import { diagnosticsPage, PAGE } from './lib/validate/diagnostics-page.ts';

writeFileSync(PAGE, diagnosticsPage());
console.log(`written to ${PAGE}`);
