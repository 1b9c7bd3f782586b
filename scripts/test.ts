import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { END_TO_END_TESTS } from './end-to-end-tests.ts';

/** A run that has written its results but does not end is kept by something that was not closed. */
const END_TIMEOUT_MS = 60_000;

/** What jest writes with --json, as far as it is used here. */
interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  success: boolean;
}

/**
 * `npm test`: runs all tests but the end-to-end tests. `npm test -- --end-to-end` runs those, or the files that follow, `npm test -- --all` runs all,
 * and `npm test -- <jest arguments>` runs the tests that the arguments select. Prints `N passed, N failed` as the last line.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'recebe-results-'));
  try {
    const resultsFile = join(folder, 'results.json');
    const exitCode = await runJest(resultsFile, jestArguments(process.argv.slice(2)));
    const results = readResults(resultsFile);
    // A suite that could not be loaded has no tests of its own to count, yet something failed.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    if (failed + results.numPassedTests === 0) process.stderr.write('No test has run.\n');
    process.exitCode = exitCode || (failed > 0 || results.numPassedTests === 0 || !results.success ? 1 : 0);
    const line = `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.stdout.write(`\n${line}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** More workers than cores: these tests wait more than the end-to-end tests do. */
const WORKERS = 3;

function jestArguments(given: string[]): string[] {
  if (given[0] === '--all') return given.slice(1);
  if (given[0] === '--end-to-end') {
    const more = given.slice(1);
    // Jest runs what any pattern matches, so a path beside all patterns would select nothing.
    if (more.some((argument) => argument.includes('/'))) return more;
    return [...more, '--testPathPatterns', ...END_TO_END_TESTS];
  }
  if (given.length > 0) return given;
  return ['--maxWorkers', `${WORKERS}`, '--testPathIgnorePatterns', '/node_modules/', ...END_TO_END_TESTS];
}

async function runJest(resultsFile: string, args: string[]): Promise<number> {
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const child = spawn(
    process.execPath,
    [jest, '--json', `--outputFile=${resultsFile}`, ...args],
    // With --json jest writes the results to its standard output as well; its report goes to standard error.
    { stdio: ['inherit', 'ignore', 'inherit'] },
  );
  // Waiting for jest to end lets the counts be printed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  let endTimer: NodeJS.Timeout | undefined;
  const resultsTimer = setInterval(() => {
    if (endTimer !== undefined || !existsSync(resultsFile)) return;
    endTimer = setTimeout(() => {
      process.stderr.write(
        'The tests are done but jest does not end: a test left something open. Killing it.\n',
      );
      child.kill('SIGKILL');
    }, END_TIMEOUT_MS);
  }, 1_000);
  const [code, signal]: [number | null, NodeJS.Signals | null] = (await once(child, 'exit')) as never;
  clearInterval(resultsTimer);
  clearTimeout(endTimer);
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}

function readResults(file: string): Results {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const none = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 };
  return { ...none, numRuntimeErrorTestSuites: 0, success: false };
}

await main();
