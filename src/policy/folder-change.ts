const CHANGES_FOLDER: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd']);

/**
 * Commands as what they are where a `cd` came before them: git obeys the configuration of the folder that it is in, which can
 * name programs to run. So `cd x && git diff` is `git -C x diff`, and needs a rule that would allow that.
 */
export function inTheirFolders(commands: readonly (readonly string[])[]): (readonly string[])[] {
  const folders: string[] = [];
  return commands.map((words) => {
    const [command = '', ...rest] = words;
    const name = command.slice(command.lastIndexOf('/') + 1);
    if (CHANGES_FOLDER.has(name)) folders.push(rest.at(-1) ?? (name === 'cd' ? '~' : '-'));
    return name === 'git' ? [command, ...folders.flatMap((folder) => ['-C', folder]), ...rest] : words;
  });
}
