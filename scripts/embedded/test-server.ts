import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EphemeralServerExecutable } from '@temporalio/testing';
import { isReachable } from './download.ts';
import { machineCache, madeOnce } from './machine-cache.ts';
import { type Log, runToEnd } from './process.ts';

/** The release the SDK's own download would bring, give or take a patch. */
const VERSION = '1.38.0';

/** Where the SDK asks for its download. */
const SDK_DOWNLOAD_SERVER = 'https://temporal.download';

/**
 * Runs the server, and ends it when the test process that started it is gone: killed test runs leave nothing behind.
 * The compiler is told not to optimise and memory to be collected simply, which halves the start of short runs.
 */
const SCRIPT = `#!/bin/sh
parent=$PPID
(while kill -0 "$parent" && kill -0 $$; do sleep 1; done; kill $$) >/dev/null 2>&1 </dev/null &
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`;

/**
 * What to give `TestWorkflowEnvironment.createTimeSkipping` as its executable: a server kept per machine if there is
 * one, else the SDK's own download, else (no internet) one assembled from Maven's registry.
 * @throws Error saying what to do when none of these works.
 */
export async function timeSkippingServer(log: Log = () => {}): Promise<EphemeralServerExecutable> {
  const cache = machineCache();
  const name = `temporal-test-server-${VERSION}`;
  const assembled = existsSync(join(cache, name));
  if (!assembled && canDownload() && (await isReachable(SDK_DOWNLOAD_SERVER))) {
    // The SDK looks for a newer server once this time is over; its answer never changes for one SDK version.
    return { type: 'cached-download', downloadDir: cache, ttl: '365 days' };
  }
  const folder = await madeOnce(cache, name, (target) => assemble(target, log), log);
  return { type: 'existing-path', path: join(folder, 'run') };
}

async function assemble(target: string, log: Log): Promise<void> {
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'pom.xml'), PROJECT);
  try {
    await runToEnd(
      'Fetching the time-skipping Temporal test server, once for this machine',
      'mvn',
      [
        '--batch-mode',
        '--quiet',
        `--file=${join(target, 'pom.xml')}`,
        'dependency:copy-dependencies',
        '-DincludeScope=runtime',
        `-DoutputDirectory=${join(target, 'lib')}`,
      ],
      { log, cwd: target },
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `no time-skipping test server could be obtained: temporal.download is not reachable, and ${reason}\n` +
        'Install a Java runtime (17 or newer) and Maven, or run the tests once with internet.',
    );
  }
  await writeFile(join(target, 'run'), SCRIPT);
  await chmod(join(target, 'run'), 0o755);
}

/** The SDK has no server for these; there Java runs it everywhere. */
function canDownload(): boolean {
  return !(process.platform === 'linux' && process.arch === 'arm64');
}

/** A project that consists of its dependency, as Maven copies dependencies of projects only. */
const PROJECT = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>recebe</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;
