/** Names that systems use for the same platform. */
const PLATFORMS: ReadonlyMap<string, string> = new Map([
  ['darwin', 'macos'],
  ['mac', 'macos'],
  ['osx', 'macos'],
  ['macosx', 'macos'],
  ['win32', 'windows'],
  ['win', 'windows'],
]);

/** The one name of a platform, whichever a skill or a host has for it: Node says `darwin`, Hermes `macos`. */
export function platformName(name: string): string {
  const lower = name.toLowerCase();
  return PLATFORMS.get(lower) ?? lower;
}

export function isWindows(platform: string | null): boolean {
  return platform === 'windows';
}
