import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer, or a status alone. */
export type PageAnswer = unknown | { readonly status: number; readonly headers?: Record<string, string> };

export interface JsonPages extends AsyncDisposable {
  readonly url: string;
  /** Path and query of every request. */
  readonly asked: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
}

/** Another system's API: JSON for each path; undefined returns 404. */
export async function jsonPages(answerOf: (path: URL, nth: number) => PageAnswer): Promise<JsonPages> {
  const asked: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    headers.push(request.headers);
    const answer = answerOf(new URL(request.url ?? '', 'http://pages'), asked.length);
    const { status, headers: more } = Object(answer) as {
      status?: unknown;
      headers?: Record<string, string>;
    };
    if (typeof status === 'number') return response.writeHead(status, more).end('{}');
    if (answer === undefined) return response.writeHead(404).end('{}');
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
