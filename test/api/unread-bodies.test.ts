import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { constants, createBrotliCompress } from 'node:zlib';
import { afterEach, expect, it, jest } from '@jest/globals';
import { UnreadBodies } from '../../src/api/limits/unread-bodies.ts';
import { createTestApp, TEST_CONFIG } from '../support/api/app.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MIB = 1024 * 1024;
const PIPELINED = 'GET /eve HTTP/1.1\r\nHost: x\r\n\r\n';

let cleanup = new AsyncDisposableStack();
afterEach(async () => {
  await cleanup.disposeAsync();
  cleanup = new AsyncDisposableStack();
});

/** A server whose compressed answers are watched. @returns a function that asks as a client and reads nothing. */
async function serve(limits: ConstructorParameters<typeof UnreadBodies>[0], bytes = 8 * MIB) {
  const unread = new UnreadBodies(limits);
  const server = createServer((request, response) => {
    unread.watch(request.url ?? '', response, bytes);
    const zipped = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 0 } });
    zipped.on('error', () => undefined).pipe(response);
    zipped.end(randomBytes(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  return async (client: string): Promise<ServerResponse> => {
    const answered = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    unreadFrom(port, `GET ${client} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [, response] = await answered;
    return response;
  };
}

function unreadFrom(port: number, request: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  socket.on('error', () => undefined);
  cleanup.defer(() => void socket.destroy());
  socket.write(request);
  return socket;
}

it('cuts off the oldest unread response of a client beyond its limit', async () => {
  const ask = await serve({ mostBytes: 20 * MIB, patienceMs: 0, answerMs: 60_000 });
  const [other, first, second] = [await ask('/ana'), await ask('/eve'), await ask('/eve')];
  expect(first.destroyed).toBe(false);
  const third = await ask('/eve');
  await eventually(async () => expect(first.destroyed).toBe(true));
  expect([other, second, third].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
});

it('cuts off the oldest of the client with the most beyond the limit of all', async () => {
  const ask = await serve({
    mostBytes: 100 * MIB,
    mostBytesOfAll: 30 * MIB,
    patienceMs: 0,
    answerMs: 60_000,
  });
  const [ana, first, second] = [await ask('/ana'), await ask('/eve'), await ask('/eve')];
  const bob = await ask('/bob');
  await eventually(async () => expect(first.destroyed).toBe(true));
  expect([ana, second, bob].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
});

it('cuts off no response that its client has only just received', async () => {
  const ask = await serve({ mostBytes: 10 * MIB, patienceMs: 60_000, answerMs: 60_000 });
  const all = [await ask('/eve'), await ask('/eve'), await ask('/eve')];
  expect(all.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
});

it('cuts off a compressed response that is not read in time', async () => {
  const ask = await serve({ mostBytes: 100 * MIB, patienceMs: 0, answerMs: 50 });
  const response = await ask('/eve');
  if (!response.closed) await once(response, 'close');
  expect(response.writableFinished).toBe(false);
});

it.each([2 * MIB, 40 * 1024])(
  'cuts off a response that waits for an earlier one of its connection: %i bytes',
  async (bytes) => {
    const unread = new UnreadBodies({ mostBytes: 1.5 * bytes, patienceMs: 0, answerMs: 60_000 });
    const responses: ServerResponse[] = [];
    const server = createServer((request, response) => {
      responses.push(response);
      unread.watch(request.url ?? '', response, bytes);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.defer(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
    const socket = unreadFrom((server.address() as AddressInfo).port, PIPELINED.repeat(2));
    await once(socket.resume(), 'close');
    expect(responses).toHaveLength(2);
  },
);

it('watches uncompressed answers by store, and pages by address or site', async () => {
  const app = await createTestApp({ config: { ...TEST_CONFIG, trustedProxies: ['127.0.0.0/8'] } });
  cleanup.defer(() => app.close());
  const watch = jest.spyOn(UnreadBodies.prototype, 'watch');
  const { text } = await app.api.get('/v2/customers/list', { headers: { 'Accept-Encoding': 'br' } });
  const page = await (await fetch(`${app.api.url}/dashboard/sign-in`)).text();
  await fetch(`${app.api.url}/dashboard/sign-in`, { headers: { 'X-Forwarded-For': '2001:db8:1:2::3' } });
  expect(watch.mock.calls.map(([client, , bytes]) => [client, bytes])).toEqual([
    [app.storeId, Buffer.byteLength(text)],
    ['127.0.0.1', Buffer.byteLength(page)],
    ['2001:db8:1::/48', Buffer.byteLength(page)],
  ]);
});
