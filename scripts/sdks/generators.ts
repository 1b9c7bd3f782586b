import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAKE } from './outdated.ts';
import { programsOf } from './python-environment.ts';
import { isThere, type Run } from './run.ts';

/** A file that a generator of others makes from `sdks/openapi.json`. */
export interface GeneratedFile {
  readonly generator: string;
  /** From the folder `sdks`. */
  readonly path: string;
  /** What the machine must have, if that is missing. */
  missing(run: Run): Promise<string | null>;
  /** Installs the generator if necessary, and has it write to `output`. */
  make(run: Run, sdks: string, output: string): Promise<void>;
}

export const TYPESCRIPT: GeneratedFile = {
  generator: 'openapi-typescript',
  path: 'typescript/src/generated/schema.ts',
  missing: async () => null,
  async make(run, sdks, output) {
    const folder = join(sdks, 'typescript');
    const program = join(folder, 'node_modules', '.bin', 'openapi-typescript');
    if (!existsSync(program)) await run('Installing openapi-typescript', 'npm', ['ci'], folder);
    // A field with a default need not be sent. Answers list in `required` what they always have.
    const options = ['--default-non-nullable', 'false', '--output', output];
    await run('openapi-typescript', program, ['../openapi.json', ...options], folder);
  },
};

const PYTHON_311 = ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))'];

export const PYTHON: GeneratedFile = {
  generator: 'datamodel-code-generator',
  path: 'python/src/recebe/generated/types.py',
  missing: async (run) => ((await isThere(run, 'python3', PYTHON_311)) ? null : 'Python 3.11'),
  async make(run, sdks, output) {
    const folder = join(sdks, 'python');
    const requirements = ['-r', join(folder, 'generator.txt')];
    const programs = await programsOf(run, join(folder, '.venv'), requirements, 'datamodel-codegen');
    const document = ['--input', '../openapi.json', '--input-file-type', 'openapi'];
    await run(
      'datamodel-code-generator',
      join(programs, 'datamodel-codegen'),
      [...document, ...PYTHON_TYPES, '--output', output],
      folder,
    );
  },
};

/** Dictionaries with types: fields and values of a later release of the service pass through. */
const PYTHON_TYPES = [
  '--output-model-type',
  'typing.TypedDict',
  '--target-python-version',
  '3.11',
  '--use-union-operator',
  '--use-schema-description',
  '--use-field-description',
  '--enum-field-as-literal',
  'all',
  '--openapi-scopes',
  'schemas',
  '--formatters',
  'builtin',
  '--disable-timestamp',
];

export const GO: GeneratedFile = {
  generator: 'oapi-codegen',
  path: 'go/types.gen.go',
  missing: async (run) => ((await isThere(run, 'go', ['version'])) ? null : 'Go'),
  async make(run, sdks, output) {
    const types = ['-generate', 'types,skip-prune', '-package', 'recebe', '-o', output];
    const program = ['tool', 'oapi-codegen', ...types, '../../openapi.json'];
    await run('oapi-codegen', 'go', program, join(sdks, 'go/generator'));
  },
};

export const GENERATED: readonly GeneratedFile[] = [TYPESCRIPT, PYTHON, GO];

/** @throws Error if the generator would make another file than the one in the repository. */
export async function requireSame(
  run: Run,
  sdks: string,
  file: GeneratedFile,
  folder: string,
): Promise<void> {
  const made = join(folder, file.path.split('/').at(-1) ?? '');
  await file.make(run, sdks, made);
  if (readFileSync(made, 'utf8') !== readFileSync(join(sdks, file.path), 'utf8'))
    throw new Error(`sdks/${file.path} is outdated: run "${MAKE}" and commit`);
}
