import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readPorts, requireFreePorts } from '../../scripts/chosen-ports.mjs';
import { freePort, isPortFree, portNear } from '../../scripts/embedded/ports.mjs';
import { onPort } from '../../scripts/start-ports.ts';

/** A server on a port of its own, which is therefore taken while the server is in use. */
async function listening() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

const started = (port: number) => Promise.resolve(port);

describe('a server that nobody chose a port for', () => {
  it('assigns a server its usual port', async () => {
    const usual = await freePort();
    expect(await onPort(undefined, usual, started)).toBe(usual);
  });

  it('assigns another port if the usual one is taken', async () => {
    await using taken = await listening();
    const port = await onPort(undefined, taken.port, started);
    expect(port).not.toBe(taken.port);
  });

  it('assigns another port if another process takes the port first', async () => {
    await using stack = new AsyncDisposableStack();
    const usual = await freePort();
    const tried: number[] = [];
    const start = async (port: number) => {
      tried.push(port);
      if (tried.length > 1) return port;
      const faster = stack.use(createServer().listen(port, '127.0.0.1'));
      await once(faster, 'listening');
      throw new Error(`port ${port} is in use`);
    };
    expect(await onPort(undefined, usual, start)).not.toBe(usual);
    expect(tried[0]).toBe(usual);
  });

  it('fails at once for any other reason', async () => {
    const fail = (port: number) => Promise.reject(new Error(`broken on ${port}`));
    const usual = await freePort();
    await expect(onPort(undefined, usual, fail)).rejects.toThrow(`broken on ${usual}`);
  });
});

describe('a default port that is taken', () => {
  it('yields to the next free port', async () => {
    await using taken = await listening();
    const next = await portNear(taken.port);
    expect(next).toBeGreaterThan(taken.port);
    expect(next).toBeLessThanOrEqual(taken.port + 20);
    for (let port = taken.port; port < next; port += 1) expect(await isPortFree(port)).toBe(false);
  });
});

describe('a port that somebody chose', () => {
  afterEach(() => {
    delete process.env.RECEBE_TEMPORAL_PORT;
    delete process.env.PORT;
  });

  it('fails if that port is in use', async () => {
    const fail = (port: number) => Promise.reject(new Error(`${port} is in use`));
    await expect(onPort(4567, 7233, fail)).rejects.toThrow('4567 is in use');
  });

  it('refuses a port in use with the name of its setting', async () => {
    await using taken = await listening();
    const wish = requireFreePorts({ RECEBE_TEMPORAL_PORT: taken.port });
    await expect(wish).rejects.toThrow(
      `Port ${taken.port} is in use. Stop what listens there, or set RECEBE_TEMPORAL_PORT to another one.`,
    );
  });

  it('accepts PORT 0, with which the system chooses', async () => {
    process.env.PORT = '0';
    expect(readPorts().PORT).toBe(0);
    await expect(requireFreePorts({ PORT: 0 })).resolves.toBeUndefined();
  });

  it('refuses an invalid port with the name of its setting', () => {
    for (const text of ['0', '65536', '7233x']) {
      process.env.RECEBE_TEMPORAL_PORT = text;
      expect(readPorts).toThrow(`RECEBE_TEMPORAL_PORT must be a port number from 1 to 65535, not "${text}".`);
    }
  });
});
