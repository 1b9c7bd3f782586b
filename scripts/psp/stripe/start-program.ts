import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { atEnd } from '../../embedded/run-and-stop.ts';
import { closed, listening } from '../local-server.ts';

const START_TIMEOUT_MS = 30_000;

/** Starts a program that serves HTTP. @returns its address once it answers anything. */
export async function startProgram(
  program: string,
  argsOf: (port: number) => readonly string[],
  cwd: string,
) {
  const port = await freePort();
  const child: ChildProcess = spawn(program, argsOf(port), { cwd, stdio: 'ignore' });
  atEnd(() => {
    child.kill('SIGTERM');
  });
  const url = `http://127.0.0.1:${port}`;
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await (await request(url)).body.dump();
      return url;
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
      await delay(100);
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await listening(server, 0);
  const { port } = server.address() as AddressInfo;
  await closed(server);
  return port;
}
