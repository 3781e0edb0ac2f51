import { type Answer, type Call, exchange } from './exchange.ts';

/** Something to measure: a call, and what its every answer has to be. */
export interface Target {
  readonly id: string;
  readonly call: Call;
  readonly expected: Pick<Answer, 'status' | 'body' | 'wireBytes'>;
  /** Most CPU time for one request, as a multiple of hello's; null for hello itself. */
  readonly budget: number | null;
}

/** Makes every call once and keeps its answer as what is expected from then on. The first one is hello. */
export async function prepareTargets(
  product: URL,
  hello: URL,
  token: string,
  skill: string,
): Promise<Target[]> {
  const authorized = { Authorization: `Bearer ${token}` };
  const get = (path: string, headers: Call['headers'] = authorized): Call => ({
    url: new URL(path, product),
    method: 'GET',
    headers,
    body: null,
  });
  const bodyPath = `/v1/skills/${skill}/body`;
  const { entityTag } = await exchange(get(bodyPath));
  if (entityTag === undefined) throw new Error(`GET ${bodyPath} has no ETag`);
  const decision: Call = {
    url: new URL('/v1/decisions', product),
    method: 'POST',
    headers: { ...authorized, 'Content-Type': 'application/json' },
    body: JSON.stringify({ skill }),
  };
  const conditional = { ...authorized, 'If-None-Match': entityTag };
  return Promise.all([
    prepare('hello', { ...get('/', {}), url: hello }, null, 200, (body) => body === 'hello'),
    prepare('listing', get('/v1/listing?context_window=200000&format=text'), 2.5, 200, (body) =>
      body.startsWith('- '),
    ),
    prepare('body', get(bodyPath), 2.5, 200, (body) => body.includes('## Part 1')),
    prepare('not-modified', get(bodyPath, conditional), 1.5, 304, (body) => body === ''),
    prepare('decision', decision, 2.5, 200, (body) => body.includes('"decision":"allow"')),
  ]);
}

async function prepare(
  id: string,
  call: Call,
  budget: number | null,
  status: number,
  isRight: (body: string) => boolean,
): Promise<Target> {
  const answer = await exchange(call);
  if (answer.status !== status || !isRight(answer.body)) {
    throw new Error(`${id}: ${answer.status} is not the answer to measure: ${answer.body.slice(0, 300)}`);
  }
  return { id, call, budget, expected: answer };
}

/** Fails where a target answers anything but what it answered at first. */
export async function verify({ id, call, expected }: Target): Promise<void> {
  const answer = await exchange(call);
  if (
    answer.status !== expected.status ||
    answer.body !== expected.body ||
    answer.wireBytes !== expected.wireBytes
  ) {
    throw new Error(
      `${id}: answered ${answer.status} with ${answer.wireBytes} bytes, not ${expected.status} with ${expected.wireBytes}`,
    );
  }
}
