/** A secret of the deployment, which is a binding that the configuration does not name. Null where it is not set. */
export function deploymentSecret(bindings: object, name: string): string | null {
  const value: unknown = Reflect.get(bindings, name);
  return typeof value === 'string' && value !== '' ? value : null;
}
