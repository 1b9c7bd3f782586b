import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { runChecks } from '../../scripts/check.ts';

it('reports breaches of style, types, imports and prose by the check that finds them', async () => {
  const root = mkdtempSync(join(tmpdir(), 'recebe-check-'));
  try {
    for (const file of ['.gitignore', 'biome.json', 'tsconfig.json']) cpSync(file, join(root, file));
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(resolve('node_modules/@types'), join(root, 'node_modules/@types'));
    mkdirSync(join(root, 'src/domain'), { recursive: true });
    const lines = [
      "import { readFileSync } from 'node:fs'",
      '// Made anew.',
      'export const size: string = readFileSync.length',
    ];
    writeFileSync(join(root, 'src/domain/size.ts'), lines.join('\n'));
    const checked = await runChecks(root);
    expect(checked.map(({ name, isPassed }) => [name, isPassed])).toEqual([
      ['lint', false],
      ['types', false],
      ['imports', false],
      ['prose', false],
      ['budgets', true],
      ['subjects', true],
      // The SDKs are those of this project, not of the one that is checked.
      ['sdks', true],
    ]);
    const [lint, types, imports, prose] = checked.map(({ output }) => output);
    expect(lint).toContain('src/domain/size.ts');
    expect(types).toContain("Type 'number' is not assignable to type 'string'");
    expect(imports).toContain('src/domain/size.ts:1 imports node:fs');
    expect(prose).toContain('src/domain/size.ts:2 says "anew": again');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
