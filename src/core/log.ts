/** One structured line a fact, for whoever runs the deployment. Never skill text, arguments or secrets. */
export function logFault(event: string, facts: Readonly<Record<string, string>>): void {
  // oxlint-disable-next-line no-console -- the one place that writes to the log
  console.error(JSON.stringify({ event, ...facts }));
}
