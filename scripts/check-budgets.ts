import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUDGETS_FILE = 'scripts/budgets.txt';

const LOWER = 'npm run budgets -- --lower';

/** Folders that may distinguish payment methods: adapters, demo data, imports, migrations, and the methods themselves. */
const KNOWS_METHODS = /^src\/(?:providers|demo|imports|charges\/methods|database\/migrations)\//;

/** In TypeScript and in SQL. */
const METHOD_COMPARED =
  /(?:[!=]==|\bcase) '(?:PIX|CARD|BOLETO)'|\bmethod (?:=|<>|(?:not )?in) \(?'(?:PIX|CARD|BOLETO|FREE)'/;

/** What each budget counts. The names are those of the lines in `scripts/budgets.txt`. */
const COUNTERS: Readonly<Record<string, (root: string) => number>> = {
  'decision pages': (root) => filesOf(root, 'docs/decisions/*.md').filter(isNoReadme).length,
  'lines of CONTRIBUTING.md': (root) => countLines(root, 'CONTRIBUTING.md', /^/) - 1,
  'comparisons with a payment method': (root) =>
    countLines(root, 'src/**/*.{ts,js}', METHOD_COMPARED, (file) => !KNOWS_METHODS.test(file)),
  'calls of patched in workflows': (root) => countLines(root, 'workflows/**/*.ts', /\bpatched\(/),
  'queries without an identity map': (root) =>
    countLines(root, 'src/**/*.ts', /\bdisableIdentityMap: true\b/),
};

/** `npm run budgets`: fails if a number is higher than its budget. `--lower` lowers the budgets to the numbers. */
function main(root: string, isLowering: boolean): void {
  if (isLowering) lowerBudgets(root);
  const { problems, isTooHigh } = budgetProblems(root);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`budgets ${problems.length > 0 ? 'are exceeded' : 'passed'}\n`);
  if (isTooHigh)
    process.stdout.write(`Some numbers are lower than their budget: run "${LOWER}" and commit.\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** Every number that exceeds its budget. A project without budgets has none to keep. */
export function budgetProblems(root: string): { problems: string[]; isTooHigh: boolean } {
  const numbers = [...readBudgets(root)].map(([name, budget]) => ({
    name,
    budget,
    count: countOf(root, name),
  }));
  const problems = numbers
    .filter(({ budget, count }) => count > budget)
    .map(({ name, budget, count }) => `${count} ${name}, ${budget} allowed`);
  return { problems, isTooHigh: numbers.some(({ budget, count }) => count < budget) };
}

/** Rewrites the budgets below `root` without raising one. */
export function lowerBudgets(root: string): void {
  const lines = [...readBudgets(root)].map(
    ([name, budget]) => `${name}: ${Math.min(budget, countOf(root, name))}\n`,
  );
  writeFileSync(join(root, BUDGETS_FILE), lines.join(''));
}

/** A merge of two branches keeps both lines of a budget (`merge=union`). The lower one counts. */
function readBudgets(root: string): Map<string, number> {
  const budgets = new Map<string, number>();
  const file = join(root, BUDGETS_FILE);
  if (!existsSync(file)) return budgets;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const { name, budget } = /^(?<name>\S.*): (?<budget>\d+)$/.exec(line)?.groups ?? {};
    if (name !== undefined) budgets.set(name, Math.min(Number(budget), budgets.get(name) ?? Number(budget)));
  }
  return budgets;
}

function countOf(root: string, name: string): number {
  const counter = COUNTERS[name];
  if (counter === undefined) throw new Error(`${BUDGETS_FILE} has an unknown budget: ${name}`);
  return counter(root);
}

function countLines(
  root: string,
  pattern: string,
  line: RegExp,
  isCounted = (_file: string) => true,
): number {
  const texts = filesOf(root, pattern)
    .filter(isCounted)
    .map((file) => readFileSync(join(root, file), 'utf8'));
  return texts.flatMap((text) => text.split('\n').filter((each) => line.test(each))).length;
}

function filesOf(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
}

function isNoReadme(file: string): boolean {
  return !file.endsWith('README.md');
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const root = args.find((arg) => !arg.startsWith('--')) ?? dirname(dirname(fileURLToPath(import.meta.url)));
  main(root, args.includes('--lower'));
}
