import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireSpace } from './embedded/disk-space.mjs';
import { withLock } from './embedded/process-lock.mjs';
import { ended } from './exit-code.mjs';

/** What the packages take, and npm while it unpacks them. */
const PACKAGES_MB = 1_000;

/**
 * Installs what package-lock.json asks for, unless it is there. Processes that want it at once wait for one
 * of them.
 * @param beside what is prepared meanwhile and how far it is, for the same line; empty for nothing.
 */
export async function installIfNeeded(root, beside = () => '') {
  if (isInstalled(root)) return;
  const onWait = (waits) => {
    if (waits === 5) process.stderr.write('Waiting for another process that is installing packages\n');
  };
  await withLock('install', root, onWait, (heldBy) => install(root, heldBy, beside));
}

/** Whether node_modules is what package-lock.json asks for. */
export function isInstalled(root) {
  const wanted = stamp(root);
  if (existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8') === wanted) return true;
  // Somebody may have installed with npm alone, which leaves its own record of what is there.
  if (unlikeWanted(root)?.length !== 0) return false;
  writeStamp(root);
  return true;
}

/** Different for another lock file and for another platform, as a folder may be shared between machines. */
function stamp(root) {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return `${hash} ${process.platform} ${process.arch}\n`;
}

function writeStamp(root) {
  try {
    writeFileSync(stampFile(root), stamp(root));
  } catch {
    // Installed by another account: then the record is compared each time, which takes some milliseconds.
  }
}

/**
 * Paths of packages that are not what package-lock.json asks for, or undefined when npm has left no record of
 * them.
 */
function unlikeWanted(root) {
  const recordFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recordFile)) return undefined;
  const present = JSON.parse(readFileSync(recordFile, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const upToDate = ([path, entry]) => {
    if (path === '') return true;
    if (present[path] === undefined) return entry.optional === true && !isForThisPlatform(entry);
    return present[path].version === entry.version;
  };
  const different = Object.entries(wanted).filter((entry) => !upToDate(entry));
  return [...different.map(([path]) => path), ...Object.keys(present).filter((path) => !(path in wanted))];
}

/**
 * Whether a package says that it is for this platform. Others are optional for what is said elsewhere, such
 * as wasm.
 */
function isForThisPlatform({ os, cpu, libc }) {
  const fits = (list, value) => list === undefined || list.includes(value);
  // Which C library this is does not matter for anything we need: both variants may be absent.
  return os !== undefined && fits(os, process.platform) && fits(cpu, process.arch) && libc === undefined;
}

async function install(root, heldBy, beside) {
  if (isInstalled(root)) return;
  const why = existsSync(join(root, 'node_modules')) ? 'package-lock.json has changed' : 'first run';
  // What is there already is removed first, and so makes room.
  if (why === 'first run') requireSpace(root, PACKAGES_MB, 'the packages need');
  const started = Date.now();
  const say = (text) => process.stderr.write(`Installing packages (${why})${text}\n`);
  // On a terminal one line that is rewritten; elsewhere a line each half minute.
  const { isTTY } = process.stderr;
  const report = () => {
    const also = beside();
    const text = `Installing packages (${why}): ${Math.round((Date.now() - started) / 1000)} s${also && ` · ${also}`}`;
    // A line that the terminal breaks in two could not be rewritten.
    process.stderr.write(
      isTTY ? `\r\x1b[K${text.slice(0, (process.stderr.columns || 80) - 1)}` : `${text}\n`,
    );
  };
  report();
  const timer = setInterval(report, isTTY ? 1_000 : 30_000);
  try {
    await npmCi(root, heldBy);
  } finally {
    clearInterval(timer);
    if (isTTY) process.stderr.write('\r\x1b[K');
  }
  const missing = unlikeWanted(root);
  // npm 11 fills a disk without a word of it, and ends as if all were well. Its record, the last it writes,
  // is missing.
  if (missing === undefined) throw new Error(`npm ci has not finished; is the disk of ${root} full?`);
  // Nor does it mind when an optional package could not be had, and this platform's Postgres and Node are
  // such.
  if (missing.length === 0) writeStamp(root);
  else say(`: npm has left out ${missing.join(', ')}; the next start tries again`);
}

/** The npm that installs packages at the moment. */
let npmRunning;

/** How long npm may take to end in good order. */
const NPM_GRACE_MS = 5_000;

/** Ends an installation that runs, and waits for its end. The next one begins again. */
export async function stopInstallation() {
  const child = npmRunning;
  if (child === undefined) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), NPM_GRACE_MS);
  child.kill('SIGTERM');
  await ended(child).catch(() => {});
  clearTimeout(timer);
}

async function npmCi(root, heldBy) {
  // NODE_ENV=production and a user's own settings would leave out what this needs.
  const ci = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath ?? '';
  const [program, first] = npm.endsWith('npm-cli.js') ? [process.execPath, [npm]] : ['npm', []];
  const child = spawn(program, [...first, ...ci], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && program === 'npm',
  });
  if (child.pid !== undefined) heldBy(child.pid);
  npmRunning = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(0, 20_000);
    });
  }
  const code = await ended(child).finally(() => {
    npmRunning = undefined;
  });
  // What is wrong comes first; a description of all options may follow.
  if (code !== 0) throw new Error(`npm ci failed:\n${output.trim().split('\n').slice(0, 12).join('\n')}`);
}

/** In node_modules, so that it is gone when that is. */
function stampFile(root) {
  return join(root, 'node_modules', '.recebe-installed');
}
