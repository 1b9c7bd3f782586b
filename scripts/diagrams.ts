import { globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIAGRAMS, diagramFile, mermaidSources } from '../src/web/docs/diagrams.ts';
import { withFetchedPackage } from './fetched-package.ts';

/**
 * Draws the Mermaid diagrams of the documentation as SVG: `npm run diagrams`, after a change of one. Pages then show
 * them without a script, and nothing that draws is installed with Recebe.
 */

/** It draws without a browser. With its layout engine it is 10 MB, which only this command needs. */
const RENDERER = 'beautiful-mermaid@1.1.3';

/** The widest picture that fits beside the list of pages. */
const WIDEST = 850;

interface Renderer {
  renderMermaidSVG(source: string, options: object): string;
}

await withFetchedPackage(RENDERER, async (folder) => {
  const { renderMermaidSVG }: Renderer = await import(pathToFileURL(join(folder, 'dist/index.js')).href);
  const render = (source: string) => renderMermaidSVG(source, { padding: 8 });
  const drawn = mermaidSources().map((source) => [diagramFile(source), plain(draw(source, render))] as const);
  for (const old of globSync('*.svg', { cwd: DIAGRAMS })) rmSync(new URL(old, DIAGRAMS));
  for (const [file, picture] of drawn) writeFileSync(file, picture);
});

/** GitHub shows the source from left to right; here a picture that would be too wide goes from top to bottom. */
function draw(source: string, render: (source: string) => string): string {
  const wide = render(source);
  const [, width = '0'] = /width="([\d.]+)"/.exec(wide) ?? [];
  return Number(width) <= WIDEST ? wide : render(source.replace(/^flowchart LR/, 'flowchart TB'));
}

/** Colours and font come from the page's stylesheet: its policy forbids styles inside the picture. */
function plain(svg: string): string {
  return svg
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/ (?:style|data-[a-z-]+|font-family)="[^"]*"/g, '')
    .replace(/-?\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10))
    .replace(/\n\s*/g, '\n')
    .replaceAll('><', '>\n<')
    .replace(/\n+/g, '\n')
    .trim()
    .concat('\n');
}
