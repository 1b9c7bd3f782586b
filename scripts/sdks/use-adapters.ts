import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrograms } from './programs-of-pages.ts';
import type { Run } from './run.ts';

/** A package that connects `@recebe/sdk` to a framework. */
interface Adapter {
  /** Its folder in `sdks`. */
  readonly name: string;
  /** What its users have. */
  readonly framework: readonly string[];
  /** How a consumer loads it. */
  readonly modules: readonly ('module' | 'commonjs')[];
}

const ADAPTERS: readonly Adapter[] = [
  { name: 'better-auth', framework: ['better-auth@1.7.25'], modules: ['module'] },
  {
    name: 'nextjs',
    framework: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
    modules: ['module', 'commonjs'],
  },
];

/**
 * Packs each adapter, and has a program in a folder with nothing but the adapter, the SDK and the framework sell, be paid
 * and verify the webhook.
 * @param sdk the packed SDK, whose sources are built. @param folder one that exists.
 */
export async function useAdapters(run: Run, sdks: string, sdk: string, folder: string): Promise<void> {
  for (const { name, framework, modules } of ADAPTERS) {
    const source = join(sdks, name);
    const packed = join(folder, name);
    mkdirSync(packed);
    await run(`Installing what @recebe/${name} is built with`, 'npm', ['ci'], source);
    await run(`Building @recebe/${name}`, 'npm', ['run', 'build'], source);
    await run(`Packing @recebe/${name}`, 'npm', ['pack', '--pack-destination', packed], source);
    const archive = join(packed, readdirSync(packed).find((file) => file.endsWith('.tgz')) ?? '');
    for (const type of modules) {
      const consumer = join(packed, type);
      const client = `@recebe/${name}(${type})`;
      mkdirSync(consumer);
      writeFileSync(join(consumer, 'package.json'), JSON.stringify({ private: true, type }));
      cpSync(join(source, 'consumer'), consumer, { recursive: true });
      const packages = ['--prefer-offline', '--ignore-scripts', sdk, archive, ...framework];
      await run(`Installing ${client}`, 'npm', ['install', ...packages], consumer);
      // The guide's programs are of both packages.
      if (type === 'module' && name === 'nextjs')
        writePrograms(
          'ts',
          'ts',
          consumer,
          [join(sdks, '../docs/guides/better-auth-and-nextjs.md')],
          /@recebe\/nextjs/,
        );
      if (name === 'better-auth')
        writePrograms(
          'ts',
          'ts',
          consumer,
          [join(sdks, '../docs/guides/better-auth-and-nextjs.md')],
          /better-auth/,
        );
      const compiler = join(sdks, 'typescript/node_modules/.bin/tsc');
      const types = ['--typeRoots', join(sdks, '../node_modules/@types')];
      await run(`Compiling for ${client}`, compiler, ['--project', '.', ...types], consumer);
      const env = { RECEBE_CLIENT: client };
      await run(`A payment by ${client}`, process.execPath, ['compiled/charge.js'], consumer, env);
    }
  }
}
