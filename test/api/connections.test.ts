import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { makeCertificates } from '../../scripts/psp/certificates.ts';
import type { ConnectionLimits } from '../../src/http/connection-limits.ts';
import { whileOpen } from '../../src/http/pipelined-requests.ts';
import { createApiServer } from '../../src/run/api-server.ts';

let cleanup = new AsyncDisposableStack();
afterEach(async () => {
  await cleanup.disposeAsync();
  cleanup = new AsyncDisposableStack();
});

/** A server that answers everything with so many bytes, but for `/never`. */
async function serve(
  limits: Partial<ConnectionLimits>,
  answerBytes = 2,
  parts: Parameters<typeof createApiServer>[1] = {},
) {
  const server = createApiServer({ checkMs: 20, ...limits }, parts);
  const answer = whileOpen((request, response) => {
    if (request.url !== '/unread') request.resume();
    if (request.url !== '/never') response.end('x'.repeat(answerBytes));
  });
  server.on('request', answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  const open = (localAddress = '127.0.0.1'): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    cleanup.defer(() => void socket.destroy());
    return socket;
  };
  /** Connections that have been taken, one after the other. */
  const hold = async (count: number, localAddress?: string): Promise<Socket[]> => {
    const held: Socket[] = [];
    for (let taken = 0; taken < count; taken += 1) {
      const accepted = once(server, 'connection');
      held.push(open(localAddress));
      await accepted;
    }
    return held;
  };
  return { server, open, hold };
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
  it('closes a connection whose headers do not end in time', async () => {
    const { open } = await serve({ headersMs: 100, requestMs: 10_000 });
    const socket = open();
    socket.write(HEAD);
    expect(await readToEnd(socket)).toContain('408 Request Timeout');
  });

  it('closes a connection whose body does not end in time', async () => {
    const { open } = await serve({ headersMs: 100, requestMs: 200 });
    const socket = open();
    socket.write(`${HEAD}Content-Length: 100\r\n\r\n{`);
    expect(await readToEnd(socket)).toMatch(/408 Request Timeout|^HTTP\/1.1 200/);
    expect(socket.closed).toBe(true);
  });

  it('closes a connection that does not read its response, and frees its buffer', async () => {
    const { server, open } = await serve({ answerMs: 100 }, 64 * 1024 * 1024);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = open().pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [other] = await accepted;
    await once(other, 'close');
    expect(other.writableLength).toBe(0);
  });

  it('sends the whole response to a slow reader', async () => {
    const { open } = await serve({ answerMs: 30_000 }, 8 * 1024 * 1024);
    const socket = open();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect((await readToEnd(socket)).length).toBeGreaterThan(8 * 1024 * 1024);
  });

  it.each([
    ['ordinary', () => ASKED],
    ['with an unknown expectation', () => 'GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'],
    ['without a host', () => 'GET / HTTP/1.1\r\n\r\n'],
  ])('closes a connection that sends many requests without waiting: %s', async (_, asked) => {
    const { server, open } = await serve({});
    let served = 0;
    server.on('request', ({ socket }) => {
      if (!socket.destroyed) served += 1;
    });
    const socket = open();
    socket.write(asked().repeat(1_000));
    await readToEnd(socket);
    expect(served).toBe(16);
  });

  it('answers 400 to HTTP 1.1 without a host, and serves HTTP 1.0', async () => {
    const { open } = await serve({});
    const answerTo = (text: string) => {
      const socket = open();
      socket.write(text);
      return readToEnd(socket);
    };
    expect(await answerTo('GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
    expect(await answerTo('GET / HTTP/1.0\r\n\r\n')).toMatch(OK);
  });

  it('refuses a client whose connections were closed for that six times', async () => {
    const { server, open } = await serve({});
    let opened = 0;
    server.on('connection', (socket) => {
      if (!socket.destroyed) opened += 1;
    });
    for (let times = 1; times <= 8; times += 1) {
      const socket = open();
      socket.write(ASKED.repeat(17));
      await readToEnd(socket);
    }
    expect(opened).toBe(6);
  });

  it('answers sixteen requests that were sent at once, and the next sixteen', async () => {
    const { open } = await serve({});
    const socket = open();
    for (let rounds = 1; rounds <= 2; rounds += 1) {
      socket.write(ASKED.repeat(16));
      let text = '';
      for (; (text.match(/HTTP\/1.1 200/g) ?? []).length < 16; )
        text += String(...(await once(socket, 'data')));
    }
    expect(socket.destroyed).toBe(false);
  });

  it('refuses connections beyond the maximum and still serves the open ones', async () => {
    const { open, hold } = await serve({ maxConnections: 1, patienceMs: 60_000 });
    const [first = open()] = await hold(1);
    expect(await readToEnd(open())).toBe('');
    first.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await readToEnd(first)).toMatch(/^HTTP\/1.1 200/);
  });
});

const ASKED_ONCE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const ASKED = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Asks once on a connection. @returns the answer; empty where the connection was closed instead. */
function askOn(socket: Socket): Promise<string> {
  socket.write(ASKED_ONCE);
  return readToEnd(socket);
}

/** Asks on a connection that stays open. */
async function keepOpen(socket: Socket): Promise<Socket> {
  socket.write(ASKED);
  await once(socket, 'data');
  return socket;
}

const OK = /^HTTP\/1.1 200/;

describe('connections that nobody uses', () => {
  it('leaves room for other addresses when one address opens many idle connections', async () => {
    const { open, hold } = await serve({
      maxConnections: 6,
      maxConnectionsPerAddress: 3,
      patienceMs: 60_000,
    });
    await hold(6, '127.0.0.2');
    expect(await askOn(open('127.0.0.3'))).toMatch(OK);
  });

  it('closes the oldest idle connection of an address beyond its limit', async () => {
    const { open, hold } = await serve({ maxConnections: 6, maxConnectionsPerAddress: 2, patienceMs: 0 });
    const [first, second] = await hold(2);
    expect(await askOn(open())).toMatch(OK);
    expect(await readToEnd(first ?? open())).toBe('');
    expect(second?.closed).toBe(false);
  });

  it('closes an idle connection when many addresses together hold all of them', async () => {
    const { open, hold } = await serve({ maxConnections: 4, maxConnectionsPerAddress: 2, patienceMs: 0 });
    const held = [...(await hold(2, '127.0.0.2')), ...(await hold(2, '127.0.0.3'))];
    expect(await askOn(open('127.0.0.4'))).toMatch(OK);
    expect(held.filter(({ closed }) => closed)).toEqual([held[0]]);
  });

  it('closes silent connections before those kept alive for a next request', async () => {
    const { open, hold } = await serve({ maxConnections: 2, patienceMs: 0 });
    const kept = await keepOpen(open());
    const [silent = open()] = await hold(1);
    expect(await askOn(open())).toMatch(OK);
    expect(await readToEnd(silent)).toBe('');
    expect(await askOn(kept)).toMatch(OK);
  });

  it('closes those of an address that has far more, before the slow request of another', async () => {
    const { server, open } = await serve({ maxConnections: 8, patienceMs: 0 });
    const slow = open('127.0.0.2');
    const asked = once(server, 'request');
    slow.write('POST /never HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await asked;
    const crowd: Socket[] = [];
    for (let held = 0; held < 7; held += 1) crowd.push(await keepOpen(open('127.0.0.3')));
    await keepOpen(open('127.0.0.4'));
    expect(slow.closed).toBe(false);
    expect(await askOn(open('127.0.0.5'))).toMatch(OK);
    expect([slow.closed, crowd.filter(({ closed }) => closed).length]).toEqual([false, 2]);
  });

  it('closes a connection whose request does not end', async () => {
    const { server, open } = await serve({ maxConnections: 1, patienceMs: 0 });
    const slow = open();
    const asked = once(server, 'request');
    slow.write('POST /never HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await asked;
    expect(await askOn(open())).toMatch(OK);
    expect(await readToEnd(slow)).toBe('');
  });
});

describe('connections on which a few addresses ask again and again', () => {
  it("closes a busy address's connection for an address that has no connection", async () => {
    const { open } = await serve({ maxConnections: 4, patienceMs: 60_000 });
    const busy: Socket[] = [];
    for (const address of ['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.3'])
      busy.push(await keepOpen(open(address)));
    expect(await askOn(open('127.0.0.4'))).toMatch(OK);
    expect(busy.map(({ closed }) => closed)).toEqual([true, false, false, false]);
  });

  it('refuses another connection from the address that has the most', async () => {
    const { open } = await serve({ maxConnections: 2, patienceMs: 60_000 });
    const busy = [await keepOpen(open('127.0.0.2')), await keepOpen(open('127.0.0.3'))];
    expect(await askOn(open('127.0.0.2'))).toBe('');
    for (const socket of busy) expect(await askOn(socket)).toMatch(OK);
  });
});

describe('connections whose answer nobody reads', () => {
  it('makes room for other addresses if no one reads the responses', async () => {
    const limits = { maxConnections: 2, patienceMs: 0 };
    const { server, open } = await serve(limits, 64 * 1024 * 1024);
    const unread = ['127.0.0.2', '127.0.0.3'].map((address) => open(address).pause());
    for (const socket of unread) {
      const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>;
      socket.write(ASKED);
      const [, response] = await asked;
      if (!response.writableEnded) await once(response, 'prefinish');
    }
    expect(await askOn(open('127.0.0.4'))).toMatch(OK);
    expect(unread.filter(({ destroyed }) => destroyed)).toEqual([]);
  });
});

describe('connections that are in use', () => {
  it('closes a further connection while all others are in use', async () => {
    const { server, open } = await serve({ maxConnections: 1, patienceMs: 0 });
    const used = open();
    const asked = once(server, 'request');
    used.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
    await asked;
    expect(await askOn(open('127.0.0.2'))).toBe('');
    expect(used.closed).toBe(false);
  });
});

describe('a server that speaks TLS', () => {
  it('keeps a connection in use when it makes room for another one', async () => {
    const { server, open } = await serve({ maxConnections: 1, patienceMs: 0 }, 2, {
      tls: await certificate(),
    });
    const { port } = server.address() as AddressInfo;
    const used = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    cleanup.defer(() => void used.destroy());
    const asked = once(server, 'request');
    used.write(ASKED.replace('/', '/never'));
    await asked;
    expect(await readToEnd(open('127.0.0.2'))).toBe('');
    expect(used.closed).toBe(false);
  });

  // Node itself waits for two minutes.
  it('closes a connection whose handshake does not end in time', async () => {
    const { open } = await serve({ headersMs: 100 }, 2, { tls: await certificate() });
    expect(await readToEnd(open())).toBe('');
  }, 60_000);
});

async function certificate() {
  const { certificate: cert, key } = (await makeCertificates()).server;
  return { cert, key };
}

describe('connections of a proxy that is trusted', () => {
  it('never limits or closes the connections of a trusted proxy', async () => {
    const limits = { maxConnections: 4, maxConnectionsPerAddress: 1, patienceMs: 0 };
    const { open, hold } = await serve(limits, 2, { trustedProxies: ['127.0.0.8/30'] });
    const proxied = await hold(4, '127.0.0.9');
    expect(await askOn(open('127.0.0.2'))).toBe('');
    for (const socket of proxied) expect(await askOn(socket)).toMatch(OK);
  });
});

describe('a body in chunks of a byte', () => {
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const bytes = (count: number) => '1\r\na\r\n'.repeat(count);

  it.each(['/', '/unread', '/never'])('ends its connection after two thousand: %s', async (path) => {
    const { open } = await serve({});
    const socket = open();
    socket.write(head(path).replace('close', 'keep-alive') + bytes(2_001));
    await readToEnd(socket);
    expect(socket.closed).toBe(true);
  });

  it('ends its connection without chunks, too', async () => {
    const { open } = await serve({});
    const socket = open().setNoDelay();
    const sender = (async () => {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n');
      // Each in a packet of its own.
      for (let sent = 0; sent < 20_000 && !socket.destroyed; sent += 1) {
        socket.write('a');
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await readToEnd(socket);
    await sender;
    expect(socket.destroyed).toBe(true);
  });

  it('arrives below that', async () => {
    const { open } = await serve({});
    const socket = open();
    socket.write(`${head('/')}${bytes(2_000)}0\r\n\r\n`);
    expect(await readToEnd(socket)).toContain('HTTP/1.1 200 OK');
  });

  it('keeps its address from connecting again after six times a minute', async () => {
    const { server, open } = await serve({});
    for (let times = 0; times < 6; times += 1) {
      const socket = open();
      socket.write(head('/') + bytes(2_001));
      await readToEnd(socket);
    }
    let asked = 0;
    server.on('request', () => (asked += 1));
    const socket = open();
    socket.write(head('/') + bytes(1));
    expect(await readToEnd(socket)).toBe('');
    expect(asked).toBe(0);
  });
});
