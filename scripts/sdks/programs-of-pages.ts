import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Each program of these pages becomes a file in a folder of its own in `folder`, so that it is compiled against the
 * package. @param chosen what a program has in it; default: anything.
 */
export function writePrograms(
  language: string,
  extension: string,
  folder: string,
  pages: readonly string[],
  chosen = /(?:)/,
): void {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  const programs = pages
    .flatMap((page) => [...readFileSync(page, 'utf8').matchAll(block)])
    .filter(([, program = '']) => chosen.test(program));
  if (programs.length === 0) throw new Error(`${pages.join(', ')} have no programs in ${language}`);
  for (const [index, [, program = '']] of programs.entries()) {
    const place = join(folder, `guide_${index}`);
    mkdirSync(place);
    writeFileSync(join(place, `guide_${index}.${extension}`), program);
  }
}
