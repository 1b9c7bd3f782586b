import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { freePort } from './ports.mjs';
import { spawnGuarded } from './process.mjs';

/** A busy machine takes some ten seconds, once. */
const START_TIMEOUT_MS = 60_000;

/**
 * Java's arguments for the time-skipping test server whose jars are in `folder`/lib; the caller appends the
 * port. The simple compiler and garbage collector halve the start of short runs.
 */
export function serverArguments(folder: string): string[] {
  const program = ['-cp', join(folder, 'lib', '*'), 'io.temporal.testserver.TestServer'];
  return ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', ...program];
}

/**
 * Starts the server once and keeps the classes it has loaded, as Java wants them in memory, in the file
 * `target`. A start takes less than half the time with them, and the SDK waits for only five seconds, which
 * is little on a busy machine. Classes of another Java, or of other jars, are ignored by Java.
 */
export async function rememberClasses(java: string, folder: string, target: string): Promise<void> {
  const port = await freePort();
  const args = [`-XX:ArchiveClassesAtExit=${target}`, ...serverArguments(folder), String(port)];
  const server = spawnGuarded(java, args, { endSignal: 'SIGTERM', onOutput: () => {} });
  try {
    await firstAnswer(`127.0.0.1:${port}`, server.hasExited);
  } finally {
    await server.stop(START_TIMEOUT_MS);
  }
}

async function firstAnswer(address: string, hasEnded: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 1_000 });
      await connection.close();
      return;
    } catch (error) {
      if (hasEnded()) throw new Error('the Java here does not run it');
      if (performance.now() > deadlineMs) throw error;
      await sleep(100);
    }
  }
}
