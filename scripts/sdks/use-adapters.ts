import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrograms } from './programs-of-pages.ts';
import type { Run } from './run.ts';

/** A package that connects Recebe to a framework. */
interface Adapter {
  /** Its folder in `sdks`. */
  readonly name: string;
  /** Its name in the registry. */
  readonly packageName: string;
  /** Whether it is built on the packed SDK. */
  readonly usesSdk: boolean;
  /** What its users have. */
  readonly framework: readonly string[];
  /** How a consumer loads it. */
  readonly modules: readonly ('module' | 'commonjs')[];
}

const ADAPTERS: readonly Adapter[] = [
  {
    name: 'better-auth',
    packageName: '@recebe/better-auth',
    usesSdk: true,
    framework: ['better-auth@1.7.25'],
    modules: ['module'],
  },
  {
    name: 'n8n',
    packageName: 'n8n-nodes-recebe',
    usesSdk: false,
    // n8n's loader, contexts and requests, without its server and editor.
    framework: ['n8n-core@2.41.1', 'n8n-workflow@2.41.0', 'zod@3.25.76'],
    modules: ['commonjs'],
  },
  {
    name: 'nextjs',
    packageName: '@recebe/nextjs',
    usesSdk: true,
    framework: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
    modules: ['module', 'commonjs'],
  },
];

/**
 * Packs each adapter, and has a program in a folder with nothing but the adapter, the SDK that it is built on and the
 * framework sell, be paid and verify the webhook.
 * @param sdk the packed SDK, whose sources are built. @param folder one that exists.
 */
export async function useAdapters(run: Run, sdks: string, sdk: string, folder: string): Promise<void> {
  for (const { name, packageName, usesSdk, framework, modules } of ADAPTERS) {
    const source = join(sdks, name);
    const packed = join(folder, name);
    mkdirSync(packed);
    await run(`Installing what ${packageName} is built with`, 'npm', ['ci'], source);
    await run(`Building ${packageName}`, 'npm', ['run', 'build'], source);
    await run(`Packing ${packageName}`, 'npm', ['pack', '--pack-destination', packed], source);
    const archive = join(packed, readdirSync(packed).find((file) => file.endsWith('.tgz')) ?? '');
    for (const type of modules) {
      const consumer = join(packed, type);
      const client = `${packageName}(${type})`;
      mkdirSync(consumer);
      writeFileSync(join(consumer, 'package.json'), JSON.stringify({ private: true, type }));
      cpSync(join(source, 'consumer'), consumer, { recursive: true });
      const packages = [
        '--prefer-offline',
        '--ignore-scripts',
        ...(usesSdk ? [sdk] : []),
        archive,
        ...framework,
      ];
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
