import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from '@jest/globals';
import { readBody } from '../../src/api/frame/json-body.ts';
import { ClientAddresses } from '../../src/http/client-address.ts';
import { UnfinishedBodies } from '../../src/http/unfinished-bodies.ts';
import { readFormWithFiles } from '../../src/web/frame/form-body.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MIB = 1024 * 1024;

let cleanup = new AsyncDisposableStack();
afterEach(async () => {
  await cleanup.disposeAsync();
  cleanup = new AsyncDisposableStack();
});

/** A server that reads bodies. @returns a function that sends all but the last byte of one. */
async function serve() {
  const bodies = new UnfinishedBodies(new ClientAddresses(['127.0.0.1']), {
    mostBytes: MIB,
    patienceMs: 0,
    checkMs: 20,
  });
  const server = createServer((request) => {
    bodies.watch(request);
    readBody(request).catch(() => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  return async (client: string, bytes: number): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    cleanup.defer(() => void socket.destroy());
    const asked = once(server, 'request');
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\nContent-Length: ${bytes + 1}\r\n\r\n`,
    );
    await asked;
    socket.write(Buffer.alloc(bytes));
    return socket;
  };
}

it('breaks off the oldest unfinished bodies of the client that has sent the most', async () => {
  const send = await serve();
  const ana = await send('192.0.2.1', 300 * 1024);
  const [first, second, third] = [
    await send('192.0.2.2', 600 * 1024),
    await send('192.0.2.2', 600 * 1024),
    await send('192.0.2.2', 600 * 1024),
  ];
  await eventually(async () => expect([first, second].map(({ closed }) => closed)).toEqual([true, true]));
  expect([ana, third].map(({ closed }) => closed)).toEqual([false, false]);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What the process has in use, without garbage. */
function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it.each([
  ['a body', 'application/json', readBody],
  [
    'a form',
    'multipart/form-data; boundary=x',
    (request: IncomingMessage) => readFormWithFiles(request, MIB),
  ],
] as const)('keeps %s that comes byte by byte in its own size', async (_, contentType, read) => {
  const headers = { 'content-type': contentType, 'transfer-encoding': 'chunked' };
  const request = Object.assign(new PassThrough(), { headers, complete: false });
  const before = usedBytes();
  const body = read(request as unknown as IncomingMessage).catch(() => undefined);
  for (let sent = 0; sent < 500_000; sent++) request.emit('data', Buffer.alloc(1));
  expect(usedBytes() - before).toBeLessThan(20 * MIB);
  request.destroy();
  await body;
});
