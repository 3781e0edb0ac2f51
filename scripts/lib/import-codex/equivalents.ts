/** A place in a frontmatter that says what a member of a sidecar says, and how it is read as that. */
export interface Equivalent {
  readonly path: readonly string[];
  read(value: unknown): unknown;
}

const asItIs = (value: unknown): unknown => value;

/** Every place where a frontmatter may say the same, the member's own first. */
export function equivalentsOf(member: string, key: string): Equivalent[] {
  const own: Equivalent = { path: [member, key], read: asItIs };
  switch (`${member}.${key}`) {
    case 'policy.allow_implicit_invocation':
      return [own, { path: ['disable-model-invocation'], read: opposite }];
    case 'interface.short_description':
      return [
        own,
        { path: ['short_description'], read: asItIs },
        { path: ['metadata', 'short-description'], read: asItIs },
      ];
    default:
      return [own];
  }
}

/** Frontmatter spells booleans in many ways. */
function opposite(value: unknown): unknown {
  const text = String(value).trim().toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(text)) return false;
  return ['false', 'no', 'off', '0'].includes(text) ? true : value;
}
