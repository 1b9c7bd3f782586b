import { type ProviderName, ScaffoldError } from './provider-name.ts';

/** `src/providers/kinds.ts` with this provider. @throws ScaffoldError if the file has another form. */
export function withKind(source: string, { name, inConstants }: ProviderName): string {
  const imported = withImport(source, `import { ${inConstants} } from './${name}/kind.ts';`);
  return withEntry(imported, 'const KINDS = {', `${keyOf(name)}: ${inConstants}`);
}

/** `src/providers/kind-options.ts` with this provider, which has no options yet. @throws ScaffoldError as {@link withKind}. */
export function withOptions(source: string, { name }: ProviderName): string {
  return withEntry(source, 'export const KIND_OPTIONS = {', `${keyOf(name)}: []`);
}

const keyOf = (name: string) => (name.includes('-') ? `'${name}'` : name);

/** Imports are sorted by path, as the formatter sorts them. */
function withImport(source: string, line: string): string {
  const lines = source.split('\n');
  const pathOf = (each: string) => each.split(" from '")[1] ?? '';
  const isImport = (each: string) => each.startsWith('import ');
  const before = lines.findIndex((each) => isImport(each) && pathOf(each) > pathOf(line));
  return lines.toSpliced(before < 0 ? lines.findLastIndex(isImport) + 1 : before, 0, line).join('\n');
}

/** Adds an entry to the object that opens with `opening`. One written in a single line becomes one line per entry. */
function withEntry(source: string, opening: string, entry: string): string {
  const [before, after] = source.split(opening);
  if (before === undefined || after === undefined)
    throw new ScaffoldError(`"${opening}" was not found in src/providers: add "${entry}" by hand`);
  if (after.startsWith('\n')) return `${before}${opening}\n  ${entry},${after}`;
  const end = after.indexOf(' }');
  const entries = [...after.slice(0, end).trim().split(', '), entry];
  return `${before}${opening}\n${entries.map((each) => `  ${each},\n`).join('')}${after.slice(end + 1)}`;
}
