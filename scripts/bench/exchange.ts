import { Agent, request } from 'node:http';

/** One kind of request, and how its answer is recognised. */
export interface Call {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Answer {
  readonly status: number;
  readonly entityTag: string | undefined;
  readonly body: string;
  /** Status line, headers and body together, as they came over the wire. */
  readonly wireBytes: number;
}

/** Makes a call once, on a connection of its own, so that every byte of the connection belongs to the answer. */
export function exchange(call: Call): Promise<Answer> {
  const agent = new Agent({ keepAlive: true });
  return new Promise<Answer>((resolve, reject) => {
    const { method, headers, body } = call;
    const length: Record<string, string> =
      body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(call.url, { agent, method, headers: { ...headers, ...length } }, (response) => {
      const { socket } = response;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          entityTag: response.headers.etag,
          body: Buffer.concat(chunks).toString('utf8'),
          wireBytes: socket.bytesRead,
        }),
      );
    });
    sent.once('error', reject);
    sent.end(body ?? undefined);
  }).finally(() => agent.destroy());
}
