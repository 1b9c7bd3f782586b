import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../embedded/run-and-stop.ts';

/** What a folder of packages was installed from is kept beside them. */
const isCurrent = (source: string, installed: string) =>
  existsSync(installed) && readFileSync(installed).equals(readFileSync(source));

/** @throws Error where npm fails. */
export function installNode(folder: string): void {
  const source = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules', '.installed-lock');
  if (isCurrent(source, installed)) return;
  say('Installing the parts that others wrote');
  run('npm', ['ci'], folder);
  copyFileSync(source, installed);
}

/** @returns the Python that has the packages, or null where this machine has none of its own. */
export function installPython(folder: string): string | null {
  if (spawnSync('python3', ['--version']).status !== 0) return null;
  const source = join(folder, 'requirements.txt');
  const installed = join(folder, '.venv', '.installed-requirements');
  const python = join(folder, '.venv', 'bin', 'python');
  if (isCurrent(source, installed)) return python;
  say('Installing the Python parts');
  run('python3', ['-m', 'venv', '.venv'], folder);
  run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', source], folder);
  copyFileSync(source, installed);
  return python;
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}
