import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EphemeralServerExecutable } from '@temporalio/testing';
import { machineCache } from './cache-folder.mjs';
import { isReachable } from './download.ts';
import { reasonOf } from './errors.mjs';
import { findJava } from './java.ts';
import { madeOnce } from './machine-cache.ts';
import type { Log } from './process.mjs';
import { rememberClasses, serverArguments } from './test-server-classes.ts';
import { fetchTestServerJars, TEST_SERVER_VERSION } from './test-server-jars.ts';

/** Where the SDK asks for its download. */
const SDK_DOWNLOAD_SERVER = 'https://temporal.download';

/**
 * What to give `TestWorkflowEnvironment.createTimeSkipping` as its executable: a server kept per machine if
 * there is one, else the SDK's own download, else (no internet) one made of Java and the jars in Maven's
 * registry.
 * @throws Error saying what to do when none of these works.
 */
export async function timeSkippingServer(log: Log = () => {}): Promise<EphemeralServerExecutable> {
  const cache = machineCache();
  const name = `temporal-test-server-${TEST_SERVER_VERSION}`;
  const assembled = existsSync(join(cache, name));
  if (!assembled && canDownload() && (await isReachable(SDK_DOWNLOAD_SERVER))) {
    // The SDK looks for a newer server once this time is over; its answer never changes for one SDK version.
    return { type: 'cached-download', downloadDir: cache, ttl: '365 days' };
  }
  try {
    const java = await findJava(log);
    const folder = await madeOnce(cache, name, (target) => fetchTestServerJars(target, log), log);
    const remember = (target: string) => rememberClasses(java.program, folder, target);
    const classes = await madeOnce(cache, `${name}-java-${java.version}.jsa`, remember, log).catch(
      () => null,
    );
    // A Java that cannot remember classes starts slower.
    const options = classes === null ? [] : [`-XX:SharedArchiveFile=${classes}`];
    const command = [java.program, ...options, ...serverArguments(folder)];
    return { type: 'existing-path', path: await writeScript(folder, command) };
  } catch (error) {
    throw new Error(
      `No time-skipping test server: temporal.download is not reachable, and ${reasonOf(error)}. ` +
        'Install Java 17 or newer, or Python with pip, or run the tests once with internet.',
    );
  }
}

/**
 * Writes the script that runs the server, with what is to run it now: another Java, perhaps, than last time.
 */
async function writeScript(folder: string, command: readonly string[]): Promise<string> {
  const path = join(folder, 'run');
  const wanted = script(command);
  if (existsSync(path) && (await readFile(path, 'utf8')) === wanted) return path;
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, wanted, { mode: 0o755 });
  await rename(unfinished, path);
  return path;
}

/**
 * Runs the server, and ends it when the test process that started it is gone: killed test runs leave nothing
 * behind. It finds the system's programs also where the PATH is somebody's own folder of a few.
 */
const script = (command: readonly string[]) => `#!/bin/sh
PATH="$PATH:/usr/bin:/bin"
parent=$PPID
(while kill -0 "$parent" && kill -0 $$; do sleep 1; done; kill $$) >/dev/null 2>&1 </dev/null &
exec ${command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')} "$@"
`;

/** The SDK has no server for these; there Java runs it everywhere. */
function canDownload(): boolean {
  return !(process.platform === 'linux' && process.arch === 'arm64');
}
