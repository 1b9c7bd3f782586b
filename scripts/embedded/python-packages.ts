import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './run-and-stop.ts';

/** What a folder of packages was installed from is kept beside them. */
export const isCurrent = (source: string, installed: string) =>
  existsSync(installed) && readFileSync(installed).equals(readFileSync(source));

/**
 * Installs the `requirements.txt` of a folder into a virtual environment beside it.
 * @returns its Python, or null if this machine has none.
 * @throws Error if the packages cannot be installed.
 */
export function installPython(folder: string): string | null {
  if (spawnSync('python3', ['--version']).status !== 0) return null;
  const source = join(folder, 'requirements.txt');
  const installed = join(folder, '.venv', '.installed-requirements');
  const python = join(folder, '.venv', 'bin', 'python');
  if (isCurrent(source, installed)) return python;
  say('Installing the Python parts');
  runIn(folder, 'python3', ['-m', 'venv', '.venv']);
  runIn(folder, python, ['-m', 'pip', 'install', '--quiet', '--requirement', source]);
  copyFileSync(source, installed);
  return python;
}

/** @throws Error naming the command if it fails. */
export function runIn(cwd: string, program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}
