import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { circlesOf, type Graph } from './circles.ts';
import { ROOMS, type Room, roomOf } from './import-rules.ts';

export interface Import {
  /** 1 for the first line of the file. */
  line: number;
  /** A package, or the path of an own file from the root of the project. */
  target: string;
  isOwn: boolean;
  typeOnly: boolean;
}

/**
 * Imports and re-exports that begin a line, and dynamic imports of a literal. Enough for code that the
 * formatter has laid out, and a file is read a hundred times faster than by a parser.
 */
const IMPORT =
  /^(?:import|export)\s+(?<type>type\s)?[^'";]*?from\s+'(?<from>[^']+)'|^import\s+'(?<bare>[^']+)'|\bimport\(\s*'(?<dynamic>[^']+)'/gm;

/** Histories, generated clients and templates are no code of ours. */
const SKIPPED = /(?:^|[\\/])(?:node_modules|generated[^\\/]*|histories)$/;
const FOLDERS = ['src', 'workflows', 'activities', 'scripts', 'test', 'examples', 'sdks/*/src'];
/** n8n's linter looks for nodes and credentials in folders of these names. */
const N8N_FOLDERS = ['sdks/n8n/credentials', 'sdks/n8n/nodes', 'sdks/n8n/shared'];
const SOURCES = [...FOLDERS, ...N8N_FOLDERS].map((room) => `${room}/**/*.ts`);

/**
 * `npm run imports`: prints what breaks the rules of modules, with file and line, and fails if anything does.
 */
function main(root: string): void {
  const { files, breaches } = importBreaches(root, ROOMS);
  for (const breach of breaches) process.stdout.write(`${breach}\n`);
  process.stdout.write(`${files} files, ${breaches.length} breaches of the import rules\n`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}

/**
 * Every breach of the rules of modules below `root`, in words and with file and line: an import that a room
 * does not allow, a file that has no room, a circle of files or of rooms (imports of types count), a setting
 * that is read in passing, state that workflows would share.
 */
export function importBreaches(root: string, rooms: readonly Room[]): { files: number; breaches: string[] } {
  const sources = sourcesOf(root);
  const imports = new Map([...sources].map(([file, source]) => [file, importsOf(file, source)]));
  const breaches = [...sources].flatMap(([file, source]) => [
    ...environmentReads(file, source),
    ...sharedState(file, source),
    ...forbidden(file, imports.get(file) ?? [], rooms),
  ]);
  const files = ownImports(imports);
  const circles = [...circlesOf(files), ...circlesOf(byRoom(files, rooms))];
  return { files: sources.size, breaches: [...breaches, ...circles.map(circleText)] };
}

function sourcesOf(root: string): Map<string, string> {
  const files = globSync(SOURCES, { cwd: root, exclude: (path) => SKIPPED.test(path) });
  return new Map(
    files.sort().map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]),
  );
}

/** The imports of a module, given by its path from the root and its source. */
export function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(IMPORT)].map(({ index, groups }) => {
    const from = groups?.from ?? groups?.bare ?? groups?.dynamic ?? '';
    const isOwn = from.startsWith('.');
    return {
      line: lineAt(source, index),
      target: isOwn ? posix.join(dirname(file), from) : from,
      isOwn,
      typeOnly: groups?.type !== undefined,
    };
  });
}

function forbidden(file: string, imports: readonly Import[], rooms: readonly Room[]): string[] {
  const room = roomOf(rooms, file);
  if (room === null) return [`${file} has no room: give it one in scripts/import-rules.ts`];
  return imports
    .filter((found) => !isAllowed(room, found, rooms))
    .map(({ line, target }) => `${file}:${line} imports ${target}: ${ruleText(room)}`);
}

function isAllowed(room: Room, { target, isOwn, typeOnly }: Import, rooms: readonly Room[]): boolean {
  if (!isOwn) return room.packages === 'any' || room.packages.includes(target);
  const other = roomOf(rooms, target)?.name;
  // What is no module of ours, such as package.json, has no rules either.
  if (other === undefined) return !target.endsWith('.ts');
  return other === room.name || room.imports.includes(other) || (typeOnly && room.types.includes(other));
}

function ruleText({ name, imports, types, packages }: Room): string {
  const typesText = types.length === 0 ? '' : `, and types of ${types.join(', ')}`;
  const packagesText = packages === 'any' ? '' : `, and of packages ${packages.join(', ') || 'none'}`;
  // Tests and tools may import the whole product.
  const shown = isTool(name) ? imports.filter(isTool) : imports;
  return `${name} may import ${['itself', ...shown].join(', ')}${typesText}${packagesText}`;
}

function isTool(room: string): boolean {
  return room.startsWith('scripts') || room.startsWith('test');
}

function ownImports(imports: ReadonlyMap<string, readonly Import[]>): Graph {
  return new Map(
    [...imports].map(([file, found]) => [
      file,
      new Set(found.filter(({ isOwn }) => isOwn).map(({ target }) => target)),
    ]),
  );
}

function byRoom(files: Graph, rooms: readonly Room[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of files) {
    const name = roomOf(rooms, file)?.name ?? file;
    const known = graph.get(name) ?? new Set();
    graph.set(name, known);
    for (const target of targets) {
      const other = roomOf(rooms, target)?.name ?? target;
      if (other !== name) known.add(other);
    }
  }
  return graph;
}

function circleText(circle: readonly string[]): string {
  return `a circle of imports: ${circle.join(' → ')}`;
}

/** The product reads settings in one place; entry points hand the whole environment to it. */
function environmentReads(file: string, source: string): string[] {
  if (!/^(?:src|workflows|activities)\//.test(file)) return [];
  return [...source.matchAll(/\bprocess\.env(?:\.|\[)/g)].map(
    ({ index }) =>
      `${file}:${lineAt(source, index)} reads process.env: src/config.ts is the only reader of settings`,
  );
}

/**
 * Top-level statements of a workflow's module are evaluated once per worker, and all its runs share them
 * (src/run/worker.ts).
 */
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

if (import.meta.main) main(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
