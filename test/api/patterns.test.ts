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

/** Patterns put together from parts, which a reader has checked: the identifiers of an object apart. */
const COMPOSED = new Map([
  // test/web/dashboard/long-texts.test.ts runs them on long texts.
  ['src/api/frame/csv.ts', 2],
  // A fixed number of digits.
  ['src/api/invoices/nfse/settings-schema.ts', 1],
  // An address of at most 254 characters.
  ['src/domain/email.ts', 1],
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

  it('lists each pattern that is put together from parts', () => {
    const composed = globSync(['src/**/*.ts', 'activities/**/*.ts']).flatMap((file) => {
      const all = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.includes('new RegExp('));
      const unknown = all.filter((line) => !line.includes('[0-9A-Z]{26}$`)'));
      return unknown.length === 0 ? [] : [[file, unknown.length] as const];
    });
    expect(new Map(composed)).toEqual(COMPOSED);
  });
});
