import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { analyse } from 'scslre';

/** A pattern as it is written in the code, between what can stand in front of one and its flags. */
const LITERAL =
  /(?<=[=(,:?&|!]\s*|return )\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g;

/** What takes time by more than the length of its text, and why it may. */
const BOUNDED = new Map([
  // Matches an amount, which has at most thirteen digits.
  [String.raw`\B(?=(\d{3})+$)`, 'src/domain/money.ts'],
  // Matches only names of our own files.
  [String.raw`([^/]+)\.(\w+)$`, 'src/web/frame/asset-files.ts'],
  // A path of at most 100 characters.
  [String.raw`\/+$`, 'src/api/frame/nearest-path.ts'],
  // A product's name of at most 200 characters.
  [String.raw`^-+|-+$`, 'src/domain/product-id.ts'],
  // Our own guides.
  [String.raw`!?\[([^\]]*)\]\([^)]*\)`, 'src/web/docs/sections.ts'],
]);

interface Found {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

function patterns(): Found[] {
  return globSync(['src/**/*.ts', 'activities/**/*.ts']).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(LITERAL)].map(([, source = '', flags = '']) => ({
      file,
      source,
      flags,
    })),
  );
}

describe('every pattern of the service', () => {
  it('finds the patterns of the service', () => {
    const sources = patterns().map(({ source }) => source);
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.some((source) => source.startsWith('^Bearer'))).toBe(true);
    expect(sources.some((source) => source.startsWith(String.raw`^application\/json`))).toBe(true);
  });

  it('takes time in proportion to its text, however that is made', () => {
    const slow = patterns().filter(
      ({ file, source, flags }) =>
        BOUNDED.get(source) !== file && analyse({ source, flags }).reports.length > 0,
    );
    expect(slow).toEqual([]);
  });
});
