import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { skillsOf } from './skills.mjs';

/**
 * The skills extension of the MCP SDK as it is meant to be used: one catalog, loaded once and held in memory, attached to
 * the server that the handler makes for each request. Nobody is authenticated.
 */
let handler;

async function open(env) {
  const files = skillsOf(env).flatMap(({ name, files: own }) =>
    own.map(({ path, text }) => [`${name}/${path}`, text]),
  );
  const skills = await SkillsExtension.load(memorySkillFiles(Object.fromEntries(files)));
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    skills.attach(server);
    return server;
  });
}

export default {
  async fetch(request, env) {
    handler ??= open(env);
    return (await handler).fetch(request);
  },
};
