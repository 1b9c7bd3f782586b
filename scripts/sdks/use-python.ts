import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PYTHON, requireSame } from './generators.ts';
import { writePrograms } from './programs-of-pages.ts';
import { programsOf } from './python-environment.ts';
import type { Run } from './run.ts';

const CLIENT = 'recebe(python)';

/** Makes the wheel of `recebe`, checks its types and its tests, and has a program that imports it charge and be paid. */
export async function usePython(run: Run, sdks: string, folder: string): Promise<string[]> {
  mkdirSync(folder);
  const source = join(sdks, 'python');
  await requireSame(run, sdks, PYTHON, folder);
  const wheels = join(folder, 'wheels');
  const generator = join(source, '.venv', process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  const build = ['-m', 'pip', 'wheel', '--quiet', '--disable-pip-version-check', '--no-deps', '-w', wheels];
  await run('Making the wheel of recebe', generator, [...build, source]);
  const wheel = join(wheels, readdirSync(wheels).find((name) => name.endsWith('.whl')) ?? '');
  const programs = await programsOf(run, join(folder, 'consumer'), [wheel, 'mypy==1.19.0'], 'mypy');
  const consumer = join(folder, 'programs');
  cpSync(join(source, 'consumer'), consumer, { recursive: true });
  writePrograms('python', 'py', consumer, [join(sdks, '../docs/guides/sdks.md'), join(source, 'README.md')]);
  const strict = ['--strict', '--cache-dir', join(folder, 'mypy')];
  await run('Checking types with recebe', join(programs, 'mypy'), [...strict, '.'], consumer);
  await run('Checking types of recebe', join(programs, 'mypy'), [...strict, '-p', 'recebe'], wheels);
  const python = join(programs, 'python');
  await run('Testing recebe', python, ['-m', 'unittest', 'discover', '-s', 'tests'], source);
  await run(`A payment by ${CLIENT}`, python, ['charge.py'], consumer, { RECEBE_CLIENT: CLIENT });
  return [CLIENT];
}
