import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAKE } from './sdks/outdated.ts';

type Run = (
  what: string,
  command: string,
  args: string[],
  cwd?: string,
  env?: Readonly<Record<string, string>>,
) => Promise<void>;

interface Place {
  /** A folder of the run's own, that does not exist yet. */
  readonly folder: string;
  readonly run: Run;
}

const SDKS = fileURLToPath(new URL('../sdks', import.meta.url));

/** A consumer of the npm package for each way to load it. */
const MODULES = [
  { type: 'module', client: '@recebe/sdk(esm)' },
  { type: 'commonjs', client: '@recebe/sdk(cjs)' },
] as const;

/**
 * Packs each SDK as for its registry, installs it in folders that contain nothing else, and has a program there
 * charge, be paid, and verify the webhook.
 * @returns the names under which the charges were made.
 * @throws an error if the generators would make other files than those in the repository.
 */
export async function payBySdks({ folder, run }: Place): Promise<string[]> {
  mkdirSync(folder);
  const typescript = join(SDKS, 'typescript');
  await run('Installing the compiler of @recebe/sdk', 'npm', ['ci'], typescript);
  await requireSameTypes({ folder, run }, typescript);
  await run('Packing @recebe/sdk', 'npm', ['pack', '--pack-destination', folder], typescript);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  for (const { type, client } of MODULES) {
    const consumer = join(folder, type);
    mkdirSync(consumer);
    writeFileSync(join(consumer, 'package.json'), JSON.stringify({ private: true, type }));
    cpSync(join(typescript, 'consumer'), consumer, { recursive: true });
    await run(`Installing ${client}`, 'npm', ['install', '--offline', join(folder, archive)], consumer);
    const compiler = join(typescript, 'node_modules', '.bin', 'tsc');
    if (type === 'module')
      writePrograms(consumer, [join(SDKS, '../docs/guides/sdks.md'), join(typescript, 'README.md')]);
    const types = ['--typeRoots', join(SDKS, '..', 'node_modules', '@types')];
    await run(`Compiling for ${client}`, compiler, ['--project', '.', ...types], consumer);
    const env = { RECEBE_CLIENT: client };
    await run(`A payment by ${client}`, process.execPath, ['compiled/charge.js'], consumer, env);
  }
  return MODULES.map(({ client }) => client);
}

/** Each program of these pages becomes a file, so that it is compiled against the package. */
function writePrograms(consumer: string, pages: readonly string[]): void {
  const programs = pages.flatMap((page) => [
    ...readFileSync(page, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm),
  ]);
  if (programs.length === 0) throw new Error('the guide to SDKs has no programs');
  for (const [index, [, program = '']] of programs.entries())
    writeFileSync(join(consumer, `guide-${index}.ts`), program);
}

async function requireSameTypes({ folder, run }: Place, typescript: string): Promise<void> {
  const made = join(folder, 'schema.ts');
  const program = join(typescript, 'node_modules', '.bin', 'openapi-typescript');
  const args = [join(SDKS, 'openapi.json'), '--output', made];
  await run('openapi-typescript for @recebe/sdk', program, args, typescript);
  const kept = join(typescript, 'src/generated/schema.ts');
  if (readFileSync(made, 'utf8') !== readFileSync(kept, 'utf8'))
    throw new Error(`sdks/typescript/src/generated/schema.ts is outdated: run "${MAKE}" and commit`);
}
