import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ICONS } from '../src/web/frame/icons.ts';
import { withFetchedPackage } from './fetched-package.ts';

/** Draws the icons that pages use into one file: `npm run icons`, after a change of their list. */

/**
 * All of Lucide is 67 MB. It is fetched only here, instead of with every installation.
 */
const LUCIDE = 'lucide-static@1.62.0';

const SPRITE = new URL('../src/web/frame/browser/icons.svg', import.meta.url);

await withFetchedPackage(LUCIDE, (folder) => {
  const svgOf = (name: string) => readFileSync(join(folder, 'icons', `${name}.svg`), 'utf8');
  const symbols = ICONS.map((name) => symbolOf(name, svgOf(name)));
  const licence = `<!-- Lucide (lucide.dev), ${LUCIDE}, ISC licence. Drawn by "npm run icons". -->`;
  writeFileSync(
    SPRITE,
    `${licence}\n<svg xmlns="http://www.w3.org/2000/svg">\n<title>Icons</title>\n${symbols.join('\n')}\n</svg>\n`,
  );
});

/** The shapes of an icon. Their colour is that of the text around it. */
function symbolOf(name: string, svg: string): string {
  const shapes = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(svg)?.[1]?.replace(/\s*\n\s*/g, '') ?? '';
  return `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${shapes}</symbol>`;
}
