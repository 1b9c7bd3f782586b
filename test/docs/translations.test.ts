import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const DOCS = new URL('../../docs/', import.meta.url);

const guidesIn = (folder: string) => globSync('*.md', { cwd: new URL(folder, DOCS) }).sort();
const read = (path: string) => readFileSync(new URL(path, DOCS), 'utf8');
const codeOf = (text: string) => text.match(/^```[\s\S]*?^```/gm) ?? [];
const headingsOf = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').match(/^#+ /gm) ?? [];

it('lists the same guides in both languages', () => {
  expect(guidesIn('pt/guides')).toEqual(guidesIn('guides'));
});

describe.each(guidesIn('pt/guides'))('%s in Portuguese', (guide) => {
  const [english, portuguese] = [read(`guides/${guide}`), read(`pt/guides/${guide}`)];

  it('matches the code blocks and headings of the English guide', () => {
    expect(codeOf(portuguese)).toEqual(codeOf(english));
    expect(headingsOf(portuguese)).toEqual(headingsOf(english));
  });

  it('writes Pix as the Central Bank does, where it is no value of the API', () => {
    expect(portuguese.replace(/^```[\s\S]*?^```|`[^`]*`/gm, '')).not.toContain('PIX');
  });
});
