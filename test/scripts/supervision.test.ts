import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from '@jest/globals';
import { supervise } from '../../scripts/embedded/supervision.ts';
import { startTemporal } from '../../scripts/embedded/temporal.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { makeTestFolder, removeTestFolder } from '../support/servers/test-folder.ts';
import { eventually } from '../support/waiting/eventually.ts';

const PATIENCE = { pauseMs: 1, failuresInARow: 3 };

/** A stand-in for a server: it ends when it is stopped. @param probe what each look at it finds */
function standIn(probe: () => Promise<void>) {
  const ended = Promise.withResolvers<string>();
  return { exited: ended.promise, probe, stop: async () => ended.resolve('SIGTERM') };
}

/** Supervises it. @returns what was said of it, and how often it was started again. */
function supervised(first: ReturnType<typeof standIn>, next: () => ReturnType<typeof standIn>) {
  const lines: string[] = [];
  let restarts = 0;
  const restart = async () => {
    restarts += 1;
    return next();
  };
  const stop = supervise('It', first, restart, (line) => lines.push(line), lines.push.bind(lines), PATIENCE);
  return { lines, restarts: () => restarts, stop };
}

it('restarts a running server that fails every probe, and says why', async () => {
  const broken = standIn(() => Promise.reject(new Error('interrupted (9)')));
  const { lines, restarts, stop } = supervised(broken, () => standIn(() => Promise.resolve()));
  await eventually(() => expect(restarts()).toBe(1));
  expect(lines).toEqual([
    'It is up, and of no use (interrupted (9)); ending it',
    'It ended (SIGTERM); starting it again',
  ]);
  await stop();
});

it('keeps a server that misses some probes but answers others', async () => {
  let probes = 0;
  const busy = standIn(async () => {
    probes += 1;
    if (probes % PATIENCE.failuresInARow !== 0) throw new Error('DEADLINE_EXCEEDED');
  });
  const { lines, restarts, stop } = supervised(busy, () => busy);
  await eventually(() => expect(probes).toBeGreaterThan(10 * PATIENCE.failuresInARow));
  expect({ lines, restarts: restarts() }).toEqual({ lines: [], restarts: 0 });
  await stop();
});

/** The state of a process; T is stopped. Linux may lack `ps` but has a file, other systems have `ps`. */
function stateOf(pid: number): string {
  const file = `/proc/${pid}/stat`;
  if (existsSync(file)) return readFileSync(file, 'utf8').split(') ').at(-1) ?? '';
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}

it('fails the probe of Temporal while it hangs or lacks its namespace', async () => {
  const folder = makeTestFolder();
  const dataFile = join(folder, 'temporal.db');
  const server = await startTemporal({ dataFile, port: await lastingPort(), probeTimeoutMs: 1_000 });
  try {
    await eventually(() => server.probe());
    process.kill(server.pid, 'SIGSTOP');
    await eventually(() => expect(stateOf(server.pid)).toMatch(/^T/));
    await expect(server.probe()).rejects.toThrow('DEADLINE_EXCEEDED');
    process.kill(server.pid, 'SIGCONT');
    await eventually(() => server.probe());

    using store = new DatabaseSync(dataFile, { timeout: 10_000 });
    store.exec("update namespaces set name = 'lost' where name = 'default'");
    await expect(server.probe()).rejects.toThrow('Namespace default is not found');
    store.exec("update namespaces set name = 'default' where name = 'lost'");
    await eventually(() => server.probe());
  } finally {
    await server.stop();
    removeTestFolder(folder);
  }
});
