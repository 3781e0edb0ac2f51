/** One structured line a fact, for whoever runs the deployment. Never skill text, arguments or secrets. */
export function logFault(event: string, facts: Readonly<Record<string, string>>): void {
  // oxlint-disable-next-line no-console -- with the line below, the one place that writes to the log
  console.error(JSON.stringify({ event, ...facts }));
}

/** The same for what is no fault. */
export function logEvent(
  event: string,
  facts: Readonly<Record<string, string | number | boolean | null>>,
): void {
  // oxlint-disable-next-line no-console -- as above
  console.log(JSON.stringify({ event, ...facts }));
}
