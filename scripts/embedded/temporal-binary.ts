import { execFile } from 'node:child_process';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answerOf } from './answer.ts';
import { downloadArchive } from './download.ts';
import { reasonOf } from './errors.ts';
import { machineCache, madeOnce } from './machine-cache.ts';
import type { Log } from './process.ts';
import { buildTemporal, buildTemporalWithGoOfPip } from './temporal-build.ts';

/** The release all figures in docs/performance.md were measured with. Its server part is 1.29.1. */
const CLI_VERSION = '1.5.1';

/** Where it comes from, each putting `temporal` into a folder; the next is tried when one cannot. */
const SOURCES: Readonly<Record<string, (folder: string, log: Log) => Promise<void>>> = {
  download,
  Go: (folder, log) => buildTemporal(CLI_VERSION, folder, log),
  pip: (folder, log) => buildTemporalWithGoOfPip(CLI_VERSION, folder, log),
};

/**
 * The first server that has everything we use, update-with-start included, without settings that turn it on.
 */
const OLDEST_SERVER: [major: number, minor: number] = [1, 28];

const EXECUTABLE_SUFFIX = process.platform === 'win32' ? '.exe' : '';

/**
 * The Temporal command line tool, which contains the development server: the one on the PATH if it is new
 * enough, else one kept per machine, downloaded the first time or, without internet, built with Go from its
 * module proxy.
 * @throws Error saying what to do when none of these works.
 */
export async function temporalBinary(log: Log): Promise<string> {
  const installed = await serverVersion('temporal');
  if (installed && isNewEnough(installed)) return 'temporal';
  if (installed) log(`The temporal on the PATH is too old (server ${installed.join('.')}); using our own`);
  const name = `temporal-${CLI_VERSION}-${process.platform}-${process.arch}${EXECUTABLE_SUFFIX}`;
  return madeOnce(machineCache(), name, (target) => obtain(target, log), log);
}

async function obtain(target: string, log: Log): Promise<void> {
  const reasons: string[] = [];
  for (const [name, source] of Object.entries(SOURCES)) {
    const folder = `${target}.work`;
    await mkdir(folder, { recursive: true });
    try {
      const program = join(folder, `temporal${EXECUTABLE_SUFFIX}`);
      await source(folder, log);
      await chmod(program, 0o755);
      if (!(await serverVersion(program))) throw new Error('it does not run on this machine');
      await rename(program, target);
      return;
    } catch (error) {
      reasons.push(`${name}: ${reasonOf(error)}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new Error(
    `No Temporal server (${reasons.join('; ')}). Install the Temporal CLI (https://docs.temporal.io/cli), Go ` +
      'or Python with pip, or set TEMPORAL_ADDRESS to a server that runs already.',
  );
}

async function download(folder: string, log: Log): Promise<void> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const suffix = platform === 'windows' ? 'zip' : 'tar.gz';
  const release = `https://github.com/temporalio/cli/releases/download/v${CLI_VERSION}`;
  const archive = join(folder, `archive.${suffix}`);
  const url = `${release}/temporal_cli_${CLI_VERSION}_${platform}_${arch}.${suffix}`;
  await downloadArchive(url, `${release}/checksums.txt`, archive, log);
  // Windows' own tar reads zip files too.
  await promisify(execFile)('tar', [suffix === 'zip' ? '-xf' : '-xzf', archive, '-C', folder]);
}

/**
 * The version of the server within a Temporal command line tool, or undefined when it is not there or is not
 * one.
 */
async function serverVersion(program: string): Promise<[major: number, minor: number] | undefined> {
  const [, major, minor] = /Server (\d+)\.(\d+)/.exec((await answerOf(program, ['--version'])) ?? '') ?? [];
  return major && minor ? [Number(major), Number(minor)] : undefined;
}

function isNewEnough([major, minor]: [number, number]): boolean {
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
}
