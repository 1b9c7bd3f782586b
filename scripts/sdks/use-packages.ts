import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type GeneratedFile, GO, PYTHON, TYPESCRIPT } from './generators.ts';
import type { Run } from './run.ts';
import { useGo } from './use-go.ts';
import { usePython } from './use-python.ts';
import { useTypescript } from './use-typescript.ts';

interface Package {
  readonly name: string;
  readonly generated: GeneratedFile;
  /** @returns the names under which it made charges. */
  use(run: Run, sdks: string, folder: string): Promise<string[]>;
}

const PACKAGES: readonly Package[] = [
  { name: 'typescript', generated: TYPESCRIPT, use: useTypescript },
  { name: 'python', generated: PYTHON, use: usePython },
  { name: 'go', generated: GO, use: useGo },
];

/**
 * Packs each SDK as for its registry, installs it where nothing else is, and has a program there charge, be paid,
 * and verify the webhook. Those whose tools are missing here are left out.
 * @param folder one that does not exist yet.
 * @throws an error if the generators would make other files than those in the repository.
 */
export async function usePackages(
  run: Run,
  sdks: string,
  folder: string,
): Promise<{ readonly made: string[]; readonly leftOut: string[] }> {
  mkdirSync(folder);
  const used = PACKAGES.map(async ({ name, generated, use }) => {
    const missing = await generated.missing(run);
    return missing === null
      ? { made: await use(run, sdks, join(folder, name)), leftOut: [] }
      : { made: [], leftOut: [`${name} (needs ${missing})`] };
  });
  const results = await Promise.all(used);
  return {
    made: results.flatMap(({ made }) => made),
    leftOut: results.flatMap(({ leftOut }) => leftOut),
  };
}
