import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDispatcher, type GuardedDispatcher } from '../../src/outbound/guarded-dispatcher.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';
import { postWebhook, type WebhookPost } from '../../src/webhooks/post-webhook.ts';
import {
  httpServer,
  httpsServer,
  type LoopbackServer,
  TEST_CA,
  tcpServer,
} from '../support/servers/loopback-servers.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

const BODY = '{"id":"log_1","data":{"name":"José"}}';
const SECRET = 'super-secret-text';

/** Long enough for a loaded machine to answer a well-behaved request. */
const PATIENT_MS = 20_000;
/**
 * Short, where the endpoint is meant to exceed it; the longer ones are for machines that take as long to get
 * that far.
 */
const IMPATIENT_MS = 150;
const LIMITS_MS = [IMPATIENT_MS, 4 * IMPATIENT_MS, 16 * IMPATIENT_MS, 64 * IMPATIENT_MS];

let guarded: GuardedDispatcher;

beforeAll(() => {
  guarded = createDispatcher({ allowPrivateEndpoints: true, ca: TEST_CA });
});

afterAll(() => guarded.close());

function post(url: string, options: Partial<WebhookPost> = {}): Promise<PostResult> {
  return postWebhook({
    url,
    body: BODY,
    headers: { 'X-Webhook-Signature': 'c2lnbmF0dXJl' },
    dispatcher: guarded.dispatcher,
    userAgent: 'Recebe/0.1.0',
    timeoutMs: PATIENT_MS,
    ...options,
  });
}

/** Posts with the shortest limit within which this machine reaches the wanted state. */
async function postImpatiently(url: string, isMeant: (result: PostResult) => boolean) {
  for (const timeoutMs of LIMITS_MS) {
    const result = await post(url, { timeoutMs });
    if (isMeant(result)) return { result, timeoutMs };
  }
  throw new Error(`${url} was not reached as meant within ${LIMITS_MS.at(-1)} ms`);
}

const isConnected = ({ error }: PostResult) => !error?.startsWith('timeout: no connection');
const isAnswered = ({ responseExcerpt }: PostResult) => responseExcerpt !== '';

function urlOf(server: LoopbackServer): string {
  return `http://127.0.0.1:${server.port}/hooks?webhookSecret=${SECRET}`;
}

/** Answers with raw bytes as soon as a part of the request has arrived. */
function rawAnswer(answer: string, end: 'end' | 'reset' | 'open' = 'end'): Promise<LoopbackServer> {
  return tcpServer((socket) => {
    socket.once('data', () => {
      socket.write(answer, () => {
        if (end === 'end') socket.end();
        if (end === 'reset') socket.resetAndDestroy();
      });
    });
  });
}

async function resultOf(listener: RequestListener, options?: Partial<WebhookPost>): Promise<PostResult> {
  await using server = await httpServer(listener);
  return await post(urlOf(server), options);
}

describe('requests', () => {
  it('sends the exact bytes as JSON with user agent and signature, without cookies', async () => {
    const body = Buffer.from([0x7b, 0xc3, 0xa9, 0xff, 0x00, 0x7d]);
    let received: { method?: string; url?: string; headers: IncomingHttpHeaders; body: Buffer } | undefined;
    await using server = await httpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = '', url = '', headers } = request;
      received = { method, url, headers, body: Buffer.concat(chunks) };
      response.writeHead(204).end();
    });
    await post(urlOf(server), { body });
    expect(received).toMatchObject({
      method: 'POST',
      url: `/hooks?webhookSecret=${SECRET}`,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Recebe/0.1.0',
        'x-webhook-signature': 'c2lnbmF0dXJl',
        'content-length': '6',
      },
    });
    expect(received?.body).toEqual(body);
    expect(Object.keys(received?.headers ?? {})).toEqual(
      expect.not.arrayContaining(['cookie', 'authorization']),
    );
  });

  it('reuses connections to an endpoint', async () => {
    await using server = await httpServer((_request, response) => response.end('ok'));
    for (let count = 0; count < 10; count += 1) await post(urlOf(server));
    // The first connection is still busy when the second post follows.
    expect(server.connectionCount).toBeLessThanOrEqual(2);
  });

  it('sends webhooks over verified TLS', async () => {
    await using server = await httpsServer(async (request, response) => response.end(await text(request)));
    const result = await post(`https://127.0.0.1:${server.port}/`);
    expect(result).toMatchObject({ outcome: 'delivered', statusCode: 200, responseExcerpt: BODY });
  });
});

describe('an endpoint that answers', () => {
  it.each([200, 201, 202, 204, 299])('delivers if the endpoint answers %d', async (status) => {
    const result = await resultOf((_request, response) => response.writeHead(status).end());
    expect(result).toMatchObject({ outcome: 'delivered', statusCode: status, error: null });
  });

  it('reports the endpoint as gone if it answers 410', async () => {
    const result = await resultOf((_request, response) => response.writeHead(410).end('no more'));
    expect(result).toMatchObject({ outcome: 'gone', statusCode: 410, responseExcerpt: 'no more' });
    expect(result.error).toBe('HTTP 410: the endpoint is gone');
  });

  it.each([400, 401, 404, 429, 500, 503])('fails if the endpoint answers %d', async (status) => {
    const result = await resultOf((_request, response) => response.writeHead(status).end('why'));
    expect(result).toMatchObject({
      outcome: 'failed',
      statusCode: status,
      error: `HTTP ${status}`,
      responseExcerpt: 'why',
    });
  });

  it.each([301, 302, 303, 307, 308])('fails without following the redirect %d', async (status) => {
    await using target = await httpServer((_request, response) => response.end());
    const location = `http://127.0.0.1:${target.port}/`;
    const result = await resultOf((_request, response) => response.writeHead(status, { location }).end());
    expect(result).toMatchObject({ outcome: 'failed', statusCode: status });
    expect(result.error).toBe(`redirect: HTTP ${status} is not followed`);
    expect(target.connectionCount).toBe(0);
  });

  it('uses the final status, not an informational one', async () => {
    await using server = await rawAnswer(
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n',
    );
    expect(await post(urlOf(server))).toMatchObject({ outcome: 'failed', statusCode: 500 });
  });

  it('measures the duration of an attempt', async () => {
    const result = await resultOf((_request, response) => setTimeout(() => response.end(), 50));
    expect(result.durationMs).toBeGreaterThanOrEqual(49);
    expect(result.durationMs).toBeLessThan(PATIENT_MS);
  });
});

describe('excerpts of responses', () => {
  it('cuts the excerpt at 4 KiB between characters', async () => {
    const result = await resultOf((_request, response) => response.end(`x${'é'.repeat(10_000)}`));
    expect(result.responseExcerpt).toBe(`x${'é'.repeat(2_047)}`);
  });

  it('keeps the excerpt valid UTF-8 of at most 4 KiB for any bytes', async () => {
    const result = await resultOf((_request, response) => response.end(Buffer.alloc(9_000, 0xff)));
    expect(result.responseExcerpt).toBe('\ufffd'.repeat(1_365));
    expect(Buffer.byteLength(result.responseExcerpt)).toBeLessThanOrEqual(4_096);
  });

  it('removes NUL from the excerpt, which Postgres cannot store', async () => {
    const result = await resultOf((_request, response) => response.end('a\0b\0'));
    expect(result.responseExcerpt).toBe('ab');
  });
});

describe('an endpoint that misbehaves', () => {
  it('delivers despite an endless body, which it cuts off near 64 KiB', async () => {
    let sentBytes = 0;
    await using server = await httpServer((_request, response) => {
      response.writeHead(200);
      const chunk = 'x'.repeat(16_384);
      const write = (): void => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
      };
      response.on('drain', write);
      write();
    });
    expect(await post(urlOf(server))).toMatchObject({ outcome: 'delivered', statusCode: 200, error: null });
    await server.allClosed();
    // The buffers of the two sockets hold the rest.
    expect(sentBytes).toBeLessThan(20_000_000);
  });

  it('fails with the status of an endless error page', async () => {
    const result = await resultOf((_request, response) => response.writeHead(500).end('x'.repeat(1_000_000)));
    expect(result).toMatchObject({ outcome: 'failed', statusCode: 500, error: 'HTTP 500' });
  });

  it('fails with a timeout and disconnects if the endpoint never answers', async () => {
    await using server = await httpServer(() => undefined);
    const { result, timeoutMs } = await postImpatiently(urlOf(server), isConnected);
    expect(result).toMatchObject({ outcome: 'failed', statusCode: null, responseExcerpt: '' });
    expect(result.error).toBe(`timeout: no complete response within ${timeoutMs / 1_000} s`);
    expect(result.durationMs).toBeGreaterThanOrEqual(timeoutMs - 1);
    await server.allClosed();
  });

  it('fails with a timeout if headers come byte by byte', async () => {
    await using server = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X: y\r\n'), 10);
      socket.once('close', () => clearInterval(drip));
    });
    const { result } = await postImpatiently(urlOf(server), isConnected);
    expect(result).toMatchObject({ outcome: 'failed', statusCode: null });
    expect(result.error).toMatch(/^timeout: no complete response/);
    await server.allClosed();
  });

  it.each([
    [200, 'delivered', null],
    [500, 'failed', 'HTTP 500'],
  ] as const)(
    'stops a body that drips after %d at the time limit, with the outcome %s',
    async (status, outcome, error) => {
      await using server = await httpServer((_request, response) => {
        response.writeHead(status);
        const drip = setInterval(() => response.write('.'), 10);
        response.once('close', () => clearInterval(drip));
      });
      const { result } = await postImpatiently(urlOf(server), isAnswered);
      expect(result).toMatchObject({ outcome, statusCode: status, error });
      expect(result.responseExcerpt).toMatch(/^\.+$/);
      await server.allClosed();
    },
  );

  it('waits three seconds for the rest of a body after the status', async () => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 10);
      response.once('close', () => clearInterval(drip));
    });
    const result = await post(urlOf(server));
    expect(result).toMatchObject({ outcome: 'delivered', statusCode: 200, error: null });
    expect(result.durationMs).toBeLessThan(10_000);
    await server.allClosed();
  });

  it('fails and disconnects if informational answers never end', async () => {
    await using server = await tcpServer((socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5);
      socket.once('close', () => clearInterval(drip));
    });
    const result = await post(urlOf(server));
    expect(result).toMatchObject({ outcome: 'failed', statusCode: null });
    expect(result.error).toBe('invalid response: too many informational responses (1xx)');
    await server.allClosed();
  });

  it.each([
    ['status line', 'HTTP/1.1 200 ', { outcome: 'failed', error: 'invalid response: headers too large' }],
    ['chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', { outcome: 'delivered' }],
  ])('disconnects from a server whose %s never ends', async (_, start, outcome) => {
    await using server = await tcpServer((socket) => {
      socket.write(start);
      const more = () => {
        while (socket.writable && socket.write('a'.repeat(16_384)));
      };
      socket.on('drain', more);
      more();
    });
    expect(await post(urlOf(server))).toMatchObject(outcome);
    await server.allClosed();
  });

  it('fails if the connection is reset before an answer', async () => {
    await using server = await rawAnswer('', 'reset');
    const result = await post(urlOf(server));
    expect(result).toMatchObject({ outcome: 'failed', statusCode: null });
    expect(result.error).toBe('connection closed before the response was complete');
  });

  it('delivers if the connection is reset inside the body of a 200', async () => {
    await using server = await rawAnswer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npartial', 'reset');
    expect(await post(urlOf(server))).toMatchObject({ outcome: 'delivered', statusCode: 200, error: null });
  });

  it.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['another protocol version', 'HTTP/9.9 200 OK\r\n\r\n'],
    ['a bad status', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['contradicting lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ])('fails for %s', async (_what, answer) => {
    await using server = await rawAnswer(answer);
    const result = await post(urlOf(server));
    expect(result).toMatchObject({ outcome: 'failed', statusCode: null });
    expect(result.error).toBe('invalid response: not HTTP/1.1');
  });

  it('fails if the endpoint changes the protocol', async () => {
    await using server = await rawAnswer(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    );
    expect(await post(urlOf(server))).toMatchObject({ outcome: 'failed', statusCode: null });
  });

  it('fails for headers of 100 KiB', async () => {
    await using server = await rawAnswer(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`);
    const result = await post(urlOf(server));
    expect(result).toMatchObject({ outcome: 'failed', error: 'invalid response: headers too large' });
  });

  it('fails if the connection is refused', async () => {
    const server = await httpServer(() => undefined);
    await server[Symbol.asyncDispose]();
    const result = await post(urlOf(server));
    expect(result).toMatchObject({ outcome: 'failed', statusCode: null, error: 'connection refused' });
  });

  it('fails if the endpoint speaks no TLS', async () => {
    await using server = await rawAnswer('220 mail.example.com ESMTP\r\n');
    const result = await post(`https://127.0.0.1:${server.port}/`);
    expect(result).toMatchObject({ outcome: 'failed', statusCode: null });
    expect(result.error).toMatch(/^TLS: /);
  });

  it('keeps the secret out of the result', async () => {
    const refused = await httpServer(() => undefined);
    await refused[Symbol.asyncDispose]();
    await using garbage = await rawAnswer(`${SECRET}\r\n`);
    await using silent = await httpServer(() => undefined);
    const results = await Promise.all([
      post(urlOf(refused)),
      post(urlOf(garbage)),
      post(urlOf(silent), { timeoutMs: IMPATIENT_MS }),
    ]);
    expect(JSON.stringify(results)).not.toContain(SECRET);
  });
});

describe('attempts that share the pool', () => {
  it('stops waiting for a connection at the time limit, and then sends nothing', async () => {
    let requestCount = 0;
    await using server = await httpServer(() => {
      requestCount += 1;
    });
    let resolve = (_addresses: string[]) => {};
    const lookup = () => new Promise<string[]>((found) => (resolve = found));
    const { dispatcher, close } = createDispatcher({ allowPrivateEndpoints: true, lookup });
    const url = `http://slow.example.com:${server.port}/`;
    const waiting = await post(url, { dispatcher, timeoutMs: IMPATIENT_MS });
    expect(waiting).toMatchObject({ outcome: 'failed', statusCode: null });
    expect(waiting.error).toBe('timeout: no connection was free or made within 0.15 s');
    resolve(['127.0.0.1']);
    // Closing waits for queued requests.
    await close();
    expect(requestCount).toBe(0);
  });

  it('connects for each attempt while many at the same origin hang', async () => {
    let requestCount = 0;
    await using server = await httpServer((request, response) => {
      requestCount += 1;
      if (request.url === '/other-store') response.end();
    });
    const stop = new AbortController();
    const stuck = Array.from({ length: 200 }, () =>
      post(urlOf(server), { signal: stop.signal }).catch(() => null),
    );
    await waitFor(() => requestCount === 200);
    expect(await post(`http://127.0.0.1:${server.port}/other-store`)).toMatchObject({ outcome: 'delivered' });
    stop.abort();
    await Promise.all(stuck);
  });

  it('delivers without delay while another endpoint never answers', async () => {
    await using dead = await httpServer(() => undefined);
    await using alive = await httpServer((_request, response) => response.end());
    const stop = new AbortController();
    const stuck = Array.from({ length: 200 }, () =>
      post(urlOf(dead), { signal: stop.signal }).catch(() => null),
    );
    await waitFor(() => dead.connectionCount === 200);
    const results = await Promise.all(Array.from({ length: 50 }, () => post(urlOf(alive))));
    expect(results.every(({ outcome }) => outcome === 'delivered')).toBe(true);
    stop.abort();
    await Promise.all(stuck);
  });

  it('succeeds after a previous request broke its connection', async () => {
    let requestCount = 0;
    await using server = await httpServer((request, response) => {
      requestCount += 1;
      if (requestCount === 1) request.socket.resetAndDestroy();
      else response.end();
    });
    expect(await post(urlOf(server))).toMatchObject({ outcome: 'failed' });
    expect(await post(urlOf(server))).toMatchObject({ outcome: 'delivered' });
  });
});

describe('failures before an attempt', () => {
  it('rejects with the reason of the signal', async () => {
    const shutdown = new Error('shutting down');
    await using server = await httpServer(() => undefined);
    const stop = new AbortController();
    const pending = post(urlOf(server), { signal: stop.signal });
    stop.abort(shutdown);
    await expect(pending).rejects.toBe(shutdown);
    await expect(post(urlOf(server), { signal: stop.signal })).rejects.toBe(shutdown);
    await server.allClosed();
  });

  it('rejects if the dispatcher is closed', async () => {
    const closed = createDispatcher({ allowPrivateEndpoints: true });
    await closed.close();
    await expect(post('http://127.0.0.1:9/', { dispatcher: closed.dispatcher })).rejects.toThrow();
  });

  it.each([
    ['URL', { url: 'not a url' }],
    ['header', { headers: { 'X-Webhook-Secret': 'line\nbreak' } }],
  ])('rejects a malformed %s', async (_what, options) => {
    await expect(post('http://127.0.0.1:9/', options)).rejects.toThrow();
  });
});
