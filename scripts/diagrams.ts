import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIAGRAMS, diagramFile, mermaidSources } from '../src/web/docs/diagrams.ts';

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

const folder = mkdtempSync(join(tmpdir(), 'recebe-diagrams-'));
try {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['install', '--prefix', folder, '--no-save', '--ignore-scripts', RENDERER], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const path = join(folder, 'node_modules/beautiful-mermaid/dist/index.js');
  const { renderMermaidSVG }: Renderer = await import(pathToFileURL(path).href);
  const render = (source: string) => renderMermaidSVG(source, { padding: 8 });
  const drawn = mermaidSources().map((source) => [diagramFile(source), plain(draw(source, render))] as const);
  for (const old of globSync('*.svg', { cwd: DIAGRAMS })) rmSync(new URL(old, DIAGRAMS));
  for (const [file, picture] of drawn) writeFileSync(file, picture);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

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
