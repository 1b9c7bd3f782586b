import { existsSync, globSync, readFileSync } from 'node:fs';
import { hashOf } from '../frame/asset-files.ts';

const DOCS = new URL('../../../docs/', import.meta.url);

/** The drawn diagrams, named by a hash of their source. `npm run diagrams` writes them. */
export const DIAGRAMS = new URL('./diagrams/', import.meta.url);

/** The different Mermaid sources of all documents. */
export function mermaidSources(): readonly string[] {
  const texts = globSync('**/*.md', { cwd: DOCS }).map((file) => readFileSync(new URL(file, DOCS), 'utf8'));
  const sources = texts.flatMap((text) => [...text.matchAll(/^```mermaid\n([\s\S]*?)\n```/gm)]);
  return [...new Set(sources.map(([, source = '']) => source))];
}

export function diagramFile(source: string): URL {
  return new URL(`${hashOf(source)}.svg`, DIAGRAMS);
}

/** The picture of a diagram as markup, or null if nobody has drawn it. */
export function drawnDiagram(source: string): string | null {
  const file = diagramFile(source);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
