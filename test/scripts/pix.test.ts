import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { maskedText } from '../../scripts/prose/masked-text.ts';

const GUIDES = ['docs/guides', 'docs/pt/guides'].flatMap((folder) =>
  readdirSync(folder).map((name) => `${folder}/${name}`),
);
const CATALOGS = ['en', 'es', 'pt-BR'].map((locale) => `src/web/i18n/locales/${locale}.json`);

it.each(['README.md', 'docs/glossary.md', ...GUIDES, ...CATALOGS])(
  'writes Pix as Banco Central does in %s',
  (file) => {
    const prose = maskedText(file, readFileSync(file, 'utf8'));
    expect(prose.match(/.{0,40}\bPIX\b.{0,40}/g) ?? []).toEqual([]);
  },
);
