/** The long context window of Claude's models, as it is written behind a name. */
const LONG_WINDOW = /\[1m\]$/i;

/**
 * The model that a skill wants, by the organisation's names for models. A `[1m]` behind the name is kept; a name that the
 * organisation says nothing about is for the host to know.
 */
export function resolveModel(model: string, aliases: Readonly<Record<string, string>>): string {
  const suffix = LONG_WINDOW.exec(model)?.[0] ?? '';
  const name = model.slice(0, model.length - suffix.length).toLowerCase();
  const target = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (target === undefined) return model;
  return LONG_WINDOW.test(target) ? target : target + suffix;
}
