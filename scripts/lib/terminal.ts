/** Says what is wrong and ends with status 2: the command was not understood, or cannot be done here. */
export function fatal(message: string): never {
  console.error(message);
  process.exit(2);
}

/** One line that rewrites itself, on a terminal only: logs and pipes get nothing of it. */
export function progressLine(wanted: boolean): { show(text: string): void; end(): void } {
  const visible = wanted && process.stderr.isTTY;
  let last = 0;
  return {
    show(text) {
      if (!visible || Date.now() - last < 50) return;
      last = Date.now();
      process.stderr.write(`\r\u001B[2K${text}`);
    },
    end() {
      if (visible) process.stderr.write('\r\u001B[2K');
    },
  };
}
