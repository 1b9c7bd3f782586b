import { expect, it } from '@jest/globals';
import { parseAnswer } from '../../src/providers/parse-answer.ts';

it('removes NUL characters, which Postgres cannot store, and nothing else', () => {
  const names = ['Ana\0', '\0\0Ana\0 Souza', '\\u0000', '\\\0', '\\\\u0000', 'u0000', '\u0001', 'Zé'];
  expect(parseAnswer(JSON.stringify({ names, ['a\0']: 1 }))).toEqual({
    names: names.map((name) => name.replaceAll('\0', '')),
    a: 1,
  });
});

it('returns null for an answer that is not JSON', () => {
  expect(parseAnswer('<html>\\u0000')).toBeNull();
});
