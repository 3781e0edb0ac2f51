import { loadSkillCatalog, manifest } from 'agents/skills';
import { skillsOf } from './skills.mjs';

/**
 * What an agent of Cloudflare's `agents` does before each turn: load the catalog again, so that changes show up, and put
 * its text into the prompt. The source is the quickest it has: skills held in memory, with no bucket to list. Nobody is
 * authenticated.
 */
let source;

function open(env) {
  const skills = skillsOf(env).map(({ name, description, license, metadata, body, files }) => ({
    name,
    description,
    license,
    metadata,
    body,
    resources: files.slice(1).map(({ path, text }) => ({ path, content: text })),
  }));
  return manifest({ id: 'bench', skills });
}

export default {
  async fetch(_request, env) {
    source ??= open(env);
    const catalog = await loadSkillCatalog([source]);
    return new Response(catalog.prompt());
  },
};
