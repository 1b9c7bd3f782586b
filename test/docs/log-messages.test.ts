import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url);

/** Operators search and alert by these messages, so a renamed message must be renamed in the documentation too. */
it('names only log messages that the code writes, in docs/operating.md', () => {
  const guide = readFileSync(new URL('docs/operating.md', ROOT), 'utf8');
  const named = [...guide.matchAll(/"msg":"([^"]+)"/g)].map(([, message = '']) => message);
  const sources = globSync('{src,activities,workflows}/**/*.ts', { cwd: ROOT })
    .map((file) => readFileSync(new URL(file.replaceAll('\\', '/'), ROOT), 'utf8'))
    .join('\n');
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((message) => !sources.includes(`'${message}'`))).toEqual([]);
});
