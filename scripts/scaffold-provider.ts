import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProviderName, readProviderName, ScaffoldError } from './scaffold/provider-name.ts';
import { filledTemplate, filledTest } from './scaffold/provider-templates.ts';
import { withKind, withOptions } from './scaffold/registration.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const KINDS = 'src/providers/kinds.ts';
const OPTIONS = 'src/providers/kind-options.ts';

/** `npm run scaffold-provider -- <name>`: creates an adapter to fill in, with the conformance test. */
function main([name]: readonly string[]): void {
  try {
    const { files, next } = scaffoldProvider(ROOT, name);
    process.stdout.write(`${files.map((file) => `wrote ${file}\n`).join('')}\n${next}`);
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/**
 * Adds a provider to the project in `root`. @returns the files written and the steps that follow.
 * @throws ScaffoldError if the name is wrong or taken; then nothing is written.
 */
export function scaffoldProvider(root: string, givenName?: string): { files: string[]; next: string } {
  const name = readProviderName(givenName);
  refuseTaken(root, name);
  const folder = `src/providers/${name.name}`;
  const contents = {
    [`${folder}/kind.ts`]: filledTemplate('kind', name),
    [`${folder}/${name.name}-provider.ts`]: filledTemplate('provider', name),
    [testOf(name)]: filledTest(name),
    [KINDS]: withKind(readFileSync(join(root, KINDS), 'utf8'), name),
    [OPTIONS]: withOptions(readFileSync(join(root, OPTIONS), 'utf8'), name),
  };
  mkdirSync(join(root, folder));
  for (const [file, content] of Object.entries(contents)) writeFileSync(join(root, file), content);
  return { files: Object.keys(contents), next: filledTemplate('next-steps', name) };
}

const testOf = ({ name }: ProviderName) => `test/providers/${name}.test.ts`;

/** A name is taken by a file of that name, and by a constant in kinds.ts. */
function refuseTaken(root: string, name: ProviderName): void {
  const folder = `src/providers/${name.name}`;
  const taken = [folder, `${folder}.ts`, testOf(name)].find((file) => existsSync(join(root, file)));
  if (taken !== undefined) throw new ScaffoldError(`"${name.name}" is taken: ${taken} exists`);
  const kinds = readFileSync(join(root, KINDS), 'utf8');
  if (new RegExp(`\\b${name.inConstants}\\b`).test(kinds))
    throw new ScaffoldError(`"${name.name}" is taken: ${KINDS} has ${name.inConstants}`);
}

if (import.meta.main) main(process.argv.slice(2));
