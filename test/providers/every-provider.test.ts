import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from '@jest/globals';

/** Folders below src/providers that are no provider. */
const SHARED = ['ports'];

const PROVIDERS = readdirSync('src/providers', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED.includes(entry.name))
  .map(({ name }) => name);

it.each(PROVIDERS)('requires a test that calls the conformance suite for %s', (provider) => {
  const conforming = globSync(`test/providers/${provider}*.test.ts`).filter((file) =>
    readFileSync(file, 'utf8').includes("from './conformance.ts'"),
  );
  expect(conforming.map((file) => basename(file))).not.toEqual([]);
});
