import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importBreaches } from '../../scripts/check-imports.ts';
import { Layers } from '../../scripts/import-rules.ts';

/** `src/low` lies below `src/high`, which may also know the types of `src/middle`. */
const { rooms: ROOMS } = new Layers()
  .room('src/low', { packages: ['zod'] })
  .room('src/middle', {})
  .room('src/high', { imports: ['src/low'], types: ['src/middle'] });

/** What is wrong in a project of these files, which are given by path and source. */
function breachesOf(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'recebe-imports-'));
  try {
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), source);
    }
    return importBreaches(root, ROOMS).breaches;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

describe('imports of a project', () => {
  it('allows imports of listed rooms only, or of their types where the rules say so', () => {
    expect(
      breachesOf({
        'src/low/row.ts': "import { z } from 'zod';",
        'src/middle/shape.ts': 'export interface Shape {}',
        'src/high/page.ts':
          "import { row } from '../low/row.ts';\nimport type { Shape } from '../middle/shape.ts';",
      }),
    ).toEqual([]);
    expect(
      breachesOf({
        'src/low/row.ts': "import { z } from 'zod';\nimport pg from 'pg';",
        'src/high/page.ts': "import {\n  shape,\n} from '../middle/shape.ts';",
        'src/middle/shape.ts': "export * from '../low/row.ts';",
      }),
    ).toEqual([
      'src/high/page.ts:1 imports src/middle/shape.ts: src/high may import itself, src/low, and types of src/middle',
      'src/low/row.ts:2 imports pg: src/low may import itself, and of packages zod',
      'src/middle/shape.ts:1 imports src/low/row.ts: src/middle may import itself',
    ]);
  });

  it('refuses at compile time a rule that allows imports from above', () => {
    // @ts-expect-error src/high is named further up, after src/low
    new Layers().room('src/low', { imports: ['src/high'] }).room('src/high', {});
    new Layers().room('src/low', {}).room('src/high', { imports: ['src/low'] });
  });

  it('reports circles among files of one room, type imports included, with their path', () => {
    expect(
      breachesOf({
        'src/low/a.ts': "import { b } from './b.ts';",
        'src/low/b.ts': "import type { C } from './deeper/c.ts';\nimport { d } from './d.ts';",
        'src/low/deeper/c.ts': "export { a } from '../a.ts';",
        'src/low/d.ts': '',
      }),
    ).toEqual(['a circle of imports: src/low/a.ts → src/low/b.ts → src/low/deeper/c.ts → src/low/a.ts']);
  });

  it('reports circles among rooms even if their files form none', () => {
    expect(
      breachesOf({
        'src/low/a.ts': "import { page } from '../high/page.ts';",
        'src/low/b.ts': '',
        'src/high/page.ts': '',
        'src/high/view.ts': "import { b } from '../low/b.ts';",
      }),
    ).toEqual([
      'src/low/a.ts:1 imports src/high/page.ts: src/low may import itself, and of packages zod',
      'a circle of imports: src/high → src/low → src/high',
    ]);
  });

  it('refuses a file outside all rooms', () => {
    expect(breachesOf({ 'src/elsewhere.ts': '' })).toEqual([
      'src/elsewhere.ts has no room: give it one in scripts/import-rules.ts',
    ]);
  });
});
