import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each program of these pages becomes a file in `folder`, so that it is compiled against the package. */
export function writePrograms(
  language: string,
  extension: string,
  folder: string,
  pages: readonly string[],
): void {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  const programs = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(block)]);
  if (programs.length === 0) throw new Error(`${pages.join(', ')} have no programs in ${language}`);
  for (const [index, [, program = '']] of programs.entries())
    writeFileSync(join(folder, `guide_${index}.${extension}`), program);
}
