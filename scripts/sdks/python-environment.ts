import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from './run.ts';

/**
 * The programs of a Python environment of its own, which is made if it does not have `program` yet.
 * @param installed arguments of `pip install`.
 */
export async function programsOf(
  run: Run,
  folder: string,
  installed: readonly string[],
  program: string,
): Promise<string> {
  const programs = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  if (existsSync(join(programs, program))) return programs;
  await run('Making a Python environment', 'python3', ['-m', 'venv', folder]);
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(`Installing ${program}`, join(programs, 'python'), [...install, ...installed]);
  return programs;
}
