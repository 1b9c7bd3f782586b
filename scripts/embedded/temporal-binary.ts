import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { downloadArchive } from './download.ts';
import { machineCache, madeOnce } from './machine-cache.ts';
import { type Log, runToEnd } from './process.ts';

/** The release all figures in docs/performance.md were measured with. Its server part is 1.29.1. */
const CLI_VERSION = '1.5.1';

/** The first server that has everything we use, update-with-start included, without settings that turn it on. */
const OLDEST_SERVER: [major: number, minor: number] = [1, 28];

const EXECUTABLE_SUFFIX = process.platform === 'win32' ? '.exe' : '';

/**
 * The Temporal command line tool, which contains the development server: the one on the PATH if it is new enough,
 * else one kept per machine, downloaded the first time or, without internet, built from the Go module proxy.
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
  for (const source of [download, build]) {
    const folder = `${target}.work`;
    await mkdir(folder, { recursive: true });
    try {
      const program = await source(folder, log);
      await chmod(program, 0o755);
      if (!(await serverVersion(program))) throw new Error('it does not run on this machine');
      await rename(program, target);
      return;
    } catch (error) {
      reasons.push(`${source.name}: ${describe(error)}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new Error(
    `no Temporal server could be obtained (${reasons.join('; ')}).\n` +
      'Install the Temporal CLI (https://docs.temporal.io/cli) or Go (https://go.dev/dl), ' +
      'or set TEMPORAL_ADDRESS to a server that runs already.',
  );
}

async function download(folder: string, log: Log): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const suffix = platform === 'windows' ? 'zip' : 'tar.gz';
  const release = `https://github.com/temporalio/cli/releases/download/v${CLI_VERSION}`;
  const archive = join(folder, `archive.${suffix}`);
  const url = `${release}/temporal_cli_${CLI_VERSION}_${platform}_${arch}.${suffix}`;
  await downloadArchive(url, `${release}/checksums.txt`, archive, log);
  // Windows' own tar reads zip files too.
  await promisify(execFile)('tar', [suffix === 'zip' ? '-xf' : '-xzf', archive, '-C', folder]);
  return join(folder, `temporal${EXECUTABLE_SUFFIX}`);
}

async function build(folder: string, log: Log): Promise<string> {
  await runToEnd(
    'Building the Temporal server from source, once for this machine (3 minutes or more)',
    'go',
    ['install', `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`],
    // Without C it needs no compiler but Go's; settings for other work of the user must not change what is built.
    {
      log,
      cwd: folder,
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
    },
  );
  const program = join(folder, `temporal${EXECUTABLE_SUFFIX}`);
  if (!existsSync(program)) throw new Error('go install left no program behind');
  return program;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'no answer in time';
  return error.cause instanceof Error ? `${error.message}, ${error.cause.message}` : error.message;
}

/** The version of the server within a Temporal command line tool, or undefined when it is not there or is not one. */
async function serverVersion(program: string): Promise<[major: number, minor: number] | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 20_000 });
    const [, major, minor] = /Server (\d+)\.(\d+)/.exec(stdout) ?? [];
    return major && minor ? [Number(major), Number(minor)] : undefined;
  } catch {
    return undefined;
  }
}

function isNewEnough([major, minor]: [number, number]): boolean {
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
}
