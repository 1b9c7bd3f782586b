import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { GO, requireSame } from './generators.ts';
import { writePrograms } from './programs-of-pages.ts';
import type { Run } from './run.ts';

const CLIENT = 'recebe(go)';

const MODULE = 'example.com/recebe/sdk-go';

/** What is in the module's folder, and no part of the module. */
const APART = new Set(['generator', 'consumer']);

/** Tests a copy of the Go module, and has a program of another module that requires it charge and be paid. */
export async function useGo(run: Run, sdks: string, folder: string): Promise<string[]> {
  mkdirSync(folder);
  const source = join(sdks, 'go');
  await requireSame(run, sdks, GO, folder);
  const copy = join(folder, 'module');
  const filter = (path: string) => !APART.has(relative(source, path).split(sep)[0] ?? '');
  cpSync(source, copy, { recursive: true, filter });
  await run('Vetting the Go module', 'go', ['vet', './...'], copy);
  await run('Testing the Go module', 'go', ['test', './...'], copy);
  const consumer = join(folder, 'consumer');
  cpSync(join(source, 'consumer'), consumer, { recursive: true });
  const required = `require ${MODULE} v0.1.0\n\nreplace ${MODULE} => ../module\n`;
  writeFileSync(join(consumer, 'go.mod'), `module consumer\n\ngo 1.24\n\n${required}`);
  writePrograms('go', 'go', consumer, [join(sdks, '../docs/guides/sdks.md'), join(source, 'README.md')]);
  await run('Looking for what the consumer needs', 'go', ['mod', 'tidy'], consumer);
  await run('Building the consumer', 'go', ['build', '-o', 'charge', '.'], consumer);
  await run('Vetting the programs of the guide', 'go', ['vet', './...'], consumer);
  await run(`A payment by ${CLIENT}`, join(consumer, 'charge'), [], consumer, { RECEBE_CLIENT: CLIENT });
  return [CLIENT];
}
