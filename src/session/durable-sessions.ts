import { fail, type Result } from '../core/result.ts';
import type { SessionAddress, Sessions } from '../invoke/sessions/session-contract.ts';
import type { SessionObject } from './session-object.ts';

/** Sessions as Durable Objects, one each. An organisation has no `/` in it, so no two sessions share a name. */
export function durableSessions(namespace: DurableObjectNamespace<SessionObject>): Sessions {
  const object = ({ organisation, id }: Pick<SessionAddress, 'organisation' | 'id'>) =>
    namespace.getByName(`${organisation}/${id}`);
  return {
    create: (start) => answered(async () => object(start).create(start)),
    read: (address) => answered(async () => object(address).read(address.boundTo)),
    end: (address) => answered(async () => object(address).end(address.boundTo)),
    pins: (address) => answered(async () => object(address).pins(address.boundTo)),
    list: (address, call) => answered(async () => object(address).list(address.boundTo, call)),
    touch: (address, call) => answered(async () => object(address).touch(address.boundTo, call)),
    tell: (address, call) => answered(async () => object(address).tell(address.boundTo, call)),
    rule: (address, call) => answered(async () => object(address).rule(address.boundTo, call)),
    ask: (address, call) => answered(async () => object(address).ask(address.boundTo, call)),
    compact: (address, call) => answered(async () => object(address).compact(address.boundTo, call)),
    invoked: (address, invocation) =>
      answered(async () => object(address).invoked(address.boundTo, invocation)),
    fireHooks: (address, call) => answered(async () => object(address).fireHooks(address.boundTo, call)),
  };
}

/** An object that cannot be reached is a problem like any other. */
async function answered<Value>(call: () => Promise<Result<Value>>): Promise<Result<Value>> {
  try {
    return await call();
  } catch {
    return fail({
      code: 'storage_unavailable',
      detail: 'the session could not be reached',
      hint: 'Make the same request again, with the same Idempotency-Key where it changes something.',
    });
  }
}
