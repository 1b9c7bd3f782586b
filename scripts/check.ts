import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is known of files that have not changed saves nine tenths of the work. */
const INCREMENTAL_TYPES = [
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  'node_modules/.cache/recebe-check.tsbuildinfo',
];

/** Ends the commands that lower an allowance or a budget. Lines that name one are shown even if nothing fails. */
const LOWER = '-- --lower';

/** What one check found: nothing, or what it says about it. */
export interface Checked {
  readonly name: 'lint' | 'types' | 'imports' | 'prose' | 'budgets' | 'subjects' | 'sdks';
  readonly isPassed: boolean;
  readonly output: string;
  readonly seconds: number;
}

/**
 * `npm run check`: lint, types, imports, prose, budgets, subjects of commits and the SDKs' generated files at once. Prints what fails, what each took,
 * and fails if one of them does.
 */
async function main(): Promise<void> {
  const checked = await runChecks(ROOT);
  const failed = checked.filter(({ isPassed }) => !isPassed);
  const shown = checked.filter(({ isPassed, output }) => !isPassed || output.includes(LOWER));
  for (const { name, output } of shown) process.stdout.write(`${name}:\n${output.trim()}\n\n`);
  const times = checked.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`).join(', ');
  const verdict = failed.length === 0 ? 'passed' : `failed: ${failed.map(({ name }) => name).join(', ')}`;
  process.stdout.write(`check ${verdict} (${times})\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

/** Runs every check on the project in `root`, all at the same time. */
export function runChecks(root: string): Promise<Checked[]> {
  const { resolve } = createRequire(import.meta.url);
  return Promise.all([
    run('lint', resolve('@biomejs/biome/bin/biome'), ['check', '--error-on-warnings', '.'], root),
    run('types', join(dirname(resolve('typescript/package.json')), 'bin/tsc'), INCREMENTAL_TYPES, root),
    run('imports', join(ROOT, 'scripts/check-imports.ts'), [root], root),
    run('prose', join(ROOT, 'scripts/check-prose.ts'), [root], root),
    run('budgets', join(ROOT, 'scripts/check-budgets.ts'), [root], root),
    run('subjects', join(ROOT, 'scripts/check-subjects.ts'), [root], root),
    run('sdks', join(ROOT, 'scripts/sdks.ts'), ['--check'], root),
  ]);
}

function run(name: Checked['name'], script: string, args: string[], cwd: string): Promise<Checked> {
  const startedMs = performance.now();
  const options = { cwd, maxBuffer: Number.POSITIVE_INFINITY };
  return new Promise((done) => {
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      const seconds = (performance.now() - startedMs) / 1_000;
      done({ name, isPassed: error === null, output: stdout + stderr, seconds });
    });
  });
}

if (import.meta.main) await main();
