import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Allowance,
  allowanceText,
  allowedIn,
  type Counts,
  lowered,
  parseAllowance,
} from './prose/allowance.ts';
import { maskedText } from './prose/masked-text.ts';
import { WORD_RULES } from './prose/rules.ts';
import { titleBreach, titlesOf } from './prose/titles.ts';

// Why this is not a linter from npm: textlint installs 160 packages (49 MB) and needs a plugin for comments,
// cspell knows single words but no phrases, and Vale downloads its program when it is installed.

const ALLOWANCE_FILE = 'scripts/prose/allowance.txt';

const LOWER = 'npm run prose -- --lower';

const FILES = [
  '**/*.{ts,mts,mjs,md}',
  '.github/*.md',
  '*.yml',
  '{deploy,observability}/**/*.{yml,yaml}',
  'src/web/i18n/locales/en.json',
];

/** Folders that hold other people's text, text in Portuguese, or files that commands make. */
const SKIPPED =
  /(?:^|\/)(?:node_modules|\.git|\.data|coverage|\.venv|compiled|dist|generated[^/]*|histories|pt)$/;

/** One breach of the rules for prose. */
export interface Breach {
  readonly kind: keyof Counts;
  readonly text: string;
}

/** `npm run prose`: prints breaches beyond the allowance, and fails if there are any. `--lower` lowers it. */
function main(root: string, isLowering: boolean): void {
  if (isLowering) lowerAllowance(root);
  const { files, problems, isTooHigh } = proseProblems(root);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${files} files, prose ${problems.length > 0 ? 'breaks the rules' : 'passed'}\n`);
  if (problems.length > 0) process.stdout.write(`After a rename, run "${LOWER}": it moves the allowance.\n`);
  else if (isTooHigh) process.stdout.write(`Fewer breaches than allowed: run "${LOWER}" and commit.\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** Rewrites the list of allowed breaches below `root` without raising a number. */
export function lowerAllowance(root: string): void {
  const found = countsOf(breachesOf(root));
  const text = allowanceText(lowered(parseAllowance(committedText(root)), found));
  writeFileSync(join(root, ALLOWANCE_FILE), text);
}

/**
 * Every breach in a file with more of them than the committed allowance. An allowance that is too high is no
 * problem: otherwise someone who deletes a file, or two branches that improve one, would break the build.
 */
export function proseProblems(root: string): { files: number; problems: string[]; isTooHigh: boolean } {
  const breaches = breachesOf(root);
  const text = committedText(root);
  const allowance = parseAllowance(text);
  const problems = [...breaches].flatMap(([file, found]) => excess(found, allowedIn(allowance, file)));
  const isTooHigh = allowanceText(lowered(allowance, countsOf(breaches))) !== allowanceText(allowance);
  return { files: breaches.size, problems, isTooHigh };
}

function committedText(root: string): string {
  const file = join(root, ALLOWANCE_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Lists all breaches of a kind in a file, as nothing says which one is new. */
function excess(breaches: readonly Breach[], allowed: Counts): string[] {
  return (['words', 'titles'] as const).flatMap((kind) => {
    const found = breaches.filter((breach) => breach.kind === kind);
    if (found.length <= allowed[kind]) return [];
    const heading = `${found.length} ${kind}, ${allowed[kind]} allowed in:`;
    return [heading, ...found.map(({ text }) => `  ${text}`)];
  });
}

function countsOf(breaches: ReadonlyMap<string, readonly Breach[]>): Allowance {
  const count = (found: readonly Breach[], kind: keyof Counts): number =>
    found.filter((breach) => breach.kind === kind).length;
  return new Map(
    [...breaches].map(([file, found]) => [
      file,
      { words: count(found, 'words'), titles: count(found, 'titles') },
    ]),
  );
}

/** Every file with prose below `root`, and what breaks the rules in it. */
function breachesOf(root: string): Map<string, Breach[]> {
  const paths = globSync(FILES, {
    cwd: root,
    exclude: (path) => SKIPPED.test(path.replaceAll('\\', '/')),
  });
  const files = [...new Set(paths.map((path) => path.replaceAll('\\', '/')))].sort();
  return new Map(files.map((file) => [file, fileBreaches(file, readFileSync(join(root, file), 'utf8'))]));
}

/** Breaches in one file, given by its path from the root and its source. */
export function fileBreaches(file: string, source: string): Breach[] {
  const titles = file.endsWith('.test.ts') ? titleBreaches(file, source) : [];
  return [...wordBreaches(file, source), ...titles];
}

function wordBreaches(file: string, source: string): Breach[] {
  const text = maskedText(file, source);
  return rulesFor(file).flatMap(({ pattern, use }) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }): Breach => {
      const words = found.trim().replaceAll(/\s+/g, ' ');
      return { kind: 'words', text: `${file}:${lineAt(source, index)} says "${words}": ${use}` };
    }),
  );
}

function titleBreaches(file: string, source: string): Breach[] {
  return titlesOf(source).flatMap(({ text, index }): Breach[] => {
    const why = titleBreach(text) ?? wordInTitle(file, text);
    return why === null ? [] : [{ kind: 'titles', text: `${file}:${lineAt(source, index)} ${why}` }];
  });
}

function wordInTitle(file: string, title: string): string | null {
  for (const { pattern, use } of rulesFor(file)) {
    const found = title.match(pattern)?.[0];
    if (found !== undefined) return `says "${found}" in a title: ${use}`;
  }
  return null;
}

function rulesFor(file: string): typeof WORD_RULES {
  return WORD_RULES.filter(
    ({ under }) => under === undefined || under.some((folder) => file.startsWith(folder)),
  );
}

function lineAt(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const root = args.find((arg) => !arg.startsWith('--')) ?? dirname(dirname(fileURLToPath(import.meta.url)));
  main(root, args.includes('--lower'));
}
