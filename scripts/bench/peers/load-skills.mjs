import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';

/** The MCP SDK's loader over one folder, in a process of its own; its modules are loaded before the clock starts. */
const started = performance.now();
const catalog = await loadSkills(process.argv[2]);
const milliseconds = performance.now() - started;
// What it says for a listing has to be there: a loader that skipped everything would be quick.
const skills = [...catalog.entries].length;
console.log(JSON.stringify({ milliseconds, skills }));
