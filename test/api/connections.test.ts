import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ConnectionLimits, createApiServer } from '../../src/run/api-server.ts';

let cleanup = new AsyncDisposableStack();
afterEach(async () => {
  await cleanup.disposeAsync();
  cleanup = new AsyncDisposableStack();
});

/** A server that answers everything with so many bytes. */
async function serve(limits: Partial<ConnectionLimits>, answerBytes = 2) {
  const server = createApiServer({ checkMs: 20, ...limits });
  server.on('request', (request, response) => {
    request.resume();
    response.end('x'.repeat(answerBytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    cleanup.defer(() => void socket.destroy());
    return socket;
  };
  return { server, open };
}

/** All that came until the other side ended the connection. */
async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
}

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';

describe('a client', () => {
  it('that does not end its headers in time is cut off', async () => {
    const { open } = await serve({ headersMs: 100, requestMs: 10_000 });
    const socket = open();
    socket.write(HEAD);
    expect(await readToEnd(socket)).toContain('408 Request Timeout');
  });

  it('that does not end its body in time is cut off', async () => {
    const { open } = await serve({ headersMs: 100, requestMs: 200 });
    const socket = open();
    socket.write(`${HEAD}Content-Length: 100\r\n\r\n{`);
    expect(await readToEnd(socket)).toMatch(/408 Request Timeout|^HTTP\/1.1 200/);
    expect(socket.closed).toBe(true);
  });

  it('that does not read its answer is cut off, and what was kept for it is given back', async () => {
    const { server, open } = await serve({ answerMs: 100 }, 64 * 1024 * 1024);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = open().pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [other] = await accepted;
    await once(other, 'close');
    expect(other.writableLength).toBe(0);
  });

  it('that reads slowly, but reads, gets all of its answer', async () => {
    const { open } = await serve({ answerMs: 30_000 }, 8 * 1024 * 1024);
    const socket = open();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect((await readToEnd(socket)).length).toBeGreaterThan(8 * 1024 * 1024);
  });

  it('is refused beyond the number of connections, while those that are there are served', async () => {
    const { server, open } = await serve({ maxConnections: 1 });
    const first = open();
    await once(first, 'connect');
    const dropped = once(server, 'drop');
    await Promise.all([dropped, readToEnd(open())]);
    first.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await readToEnd(first)).toMatch(/^HTTP\/1.1 200/);
  });
});
