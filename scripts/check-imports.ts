import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { circlesOf } from './circles.ts';
import { type ImportRule, RULES } from './import-rules.ts';

const ROOT = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));

interface Import {
  /** 1 for the first line of the file. */
  line: number;
  from: string;
  typeOnly: boolean;
}

/**
 * Imports and re-exports that begin a line, and dynamic imports of a literal. Enough for code that the formatter has
 * laid out, and a file is read a hundred times faster than by a parser.
 */
const IMPORT =
  /^(?:import|export)\s+(?<type>type\s)?[^'";]*?from\s+'(?<from>[^']+)'|^import\s+'(?<bare>[^']+)'|\bimport\(\s*'(?<dynamic>[^']+)'/gm;

/** `npm run imports [-- folder]`: prints what breaks the rules of modules, with file and line, and fails if anything does. */
function main(): void {
  const files = globSync(['src/**/*.ts', 'workflows/**/*.ts', 'activities/**/*.ts'], { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  const breaches = [...files.flatMap(checkFile), ...circles(files)];
  for (const breach of breaches) process.stdout.write(`${breach}\n`);
  process.stdout.write(`${files.length} files, ${breaches.length} breaches of the import rules\n`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}

function checkFile(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const breaches = [...environmentReads(file, source), ...sharedState(file, source)];
  const rule = RULES.find(({ files }) => files.test(file));
  if (rule === undefined) return breaches;
  for (const found of importsOf(source)) {
    if (!isAllowed(rule, file, found))
      breaches.push(`${file}:${found.line} imports ${found.from}: ${rule.says}`);
  }
  return breaches;
}

/** Imports of types count: files that only know each other's types cannot be understood one by one either. */
function circles(files: readonly string[]): string[] {
  const graph = new Map(files.map((file) => [file, new Set(ownImports(file))]));
  return circlesOf(graph).map((circle) => `a circle of imports: ${circle.join(' → ')}`);
}

function ownImports(file: string): string[] {
  const found = importsOf(readFileSync(join(ROOT, file), 'utf8'));
  return found.filter(({ from }) => from.startsWith('.')).map(({ from }) => targetOf(file, from));
}

function importsOf(source: string): Import[] {
  return [...source.matchAll(IMPORT)].map((match) => ({
    line: lineAt(source, match.index),
    from: match.groups?.from ?? match.groups?.bare ?? match.groups?.dynamic ?? '',
    typeOnly: match.groups?.type !== undefined,
  }));
}

function isAllowed(rule: ImportRule, file: string, { from, typeOnly }: Import): boolean {
  if (!from.startsWith('.')) return rule.packages === 'any' || rule.packages.includes(from);
  const target = targetOf(file, from);
  return rule.local.test(target) || (typeOnly && rule.localTypes?.test(target) === true);
}

function targetOf(file: string, from: string): string {
  return posix.join(dirname(file), from);
}

/** Settings are read in one place; entry points hand the whole environment to it. */
function environmentReads(file: string, source: string): string[] {
  return [...source.matchAll(/\bprocess\.env(?:\.|\[)/g)].map(
    ({ index }) =>
      `${file}:${lineAt(source, index)} reads process.env: src/config.ts is the only reader of settings`,
  );
}

/** What begins a line of a workflow's module is evaluated once per worker and shared by all its runs (src/run/worker.ts). */
function sharedState(file: string, source: string): string[] {
  if (!file.startsWith('workflows/')) return [];
  const state = /^(?:export )?(?:let\b|var\b|const [^=]+= (?:new (?:Map|Set|WeakMap|WeakSet)\b|\[\];))/gm;
  return [...source.matchAll(state)].map(
    ({ index }) =>
      `${file}:${lineAt(source, index)} keeps state in a module: all runs share it; keep it in the workflow's function`,
  );
}

function lineAt(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}

main();
