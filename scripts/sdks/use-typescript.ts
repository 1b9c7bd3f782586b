import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireSame, TYPESCRIPT } from './generators.ts';
import { writePrograms } from './programs-of-pages.ts';
import type { Run } from './run.ts';
import { useAdapters } from './use-adapters.ts';

/** A consumer of the npm package for each way to load it. */
const MODULES = [
  { type: 'module', client: '@recebe/sdk(esm)' },
  { type: 'commonjs', client: '@recebe/sdk(cjs)' },
] as const;

/** Packs `@recebe/sdk`, and has a program that loads it by `import`, and one by `require`, charge and be paid. Then the adapters that are built on it. */
export async function useTypescript(run: Run, sdks: string, folder: string): Promise<string[]> {
  mkdirSync(folder);
  const source = join(sdks, 'typescript');
  await run('Installing the compiler of @recebe/sdk', 'npm', ['ci'], source);
  await requireSame(run, sdks, TYPESCRIPT, folder);
  // Not left to `prepack`: scripts of packages are switched off in this repository.
  await run('Building @recebe/sdk', 'npm', ['run', 'build'], source);
  await run('Packing @recebe/sdk', 'npm', ['pack', '--pack-destination', folder], source);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  for (const { type, client } of MODULES) {
    const consumer = join(folder, type);
    mkdirSync(consumer);
    writeFileSync(join(consumer, 'package.json'), JSON.stringify({ private: true, type }));
    cpSync(join(source, 'consumer'), consumer, { recursive: true });
    await run(`Installing ${client}`, 'npm', ['install', '--offline', join(folder, archive)], consumer);
    if (type === 'module')
      writePrograms('ts', 'ts', consumer, [join(sdks, '../docs/guides/sdks.md'), join(source, 'README.md')]);
    const compiler = join(source, 'node_modules', '.bin', 'tsc');
    const types = ['--typeRoots', join(sdks, '../node_modules/@types')];
    await run(`Compiling for ${client}`, compiler, ['--project', '.', ...types], consumer);
    const env = { RECEBE_CLIENT: client };
    await run(`A payment by ${client}`, process.execPath, ['compiled/charge.js'], consumer, env);
  }
  await useAdapters(run, sdks, join(folder, archive), folder);
  return MODULES.map(({ client }) => client);
}
