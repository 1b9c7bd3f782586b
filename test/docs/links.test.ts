import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a newcomer reads before the guides; longer than this, nobody reads to its end. */
const MAX_README_LINES = 150;

const DOCUMENTS = find('*.md', 'docs/**/*.md', '.github/**/*.md', 'scripts/**/*.md', 'conformance/*.md');
const SOURCES = find('{src,activities,workflows,scripts,test}/**/*.ts');

function find(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** A document without its blocks of code, in which nothing is a link or a heading. */
function prose(file: string): string {
  return read(file).replace(/^```[\s\S]*?^```/gm, '');
}

function headings(file: string): string[] {
  return [...prose(file).matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => heading);
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchors(file: string): string[] {
  return headings(file).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What a link of `document` leads to that is not there; null where all is well. */
function brokenLink(document: string, link: string): string | null {
  if (/^(?:https?|mailto):/.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : relative(ROOT, join(ROOT, dirname(document), path));
  if (!existsSync(join(ROOT, target))) return link;
  if (anchor === undefined) return null;
  return statSync(join(ROOT, target)).isFile() && anchors(target).includes(anchor) ? null : link;
}

describe('relative links', () => {
  it.each(DOCUMENTS)('finds no broken link in %s', (document) => {
    const links = [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => brokenLink(document, link) !== null)).toEqual([]);
  });
});

describe('sections of the contract in comments', () => {
  const SECTIONS = headings('docs/contract.md');

  /** Comments without their line breaks, so that a citation may go over two lines. */
  const flowing = (file: string) => read(file).replace(/\n\s*(?:\*|\/\/)? ?/g, ' ');

  const CITATION =
    /contract sections? (?<number>\d+(?:\.\d+)?)(?: and (?<second>\d+(?:\.\d+)?))?(?:, "(?<name>[^"]+)")?/gi;

  const missing = (file: string) =>
    [...flowing(file).matchAll(CITATION)].flatMap(({ 0: citation, groups }) => {
      const numbers = [groups?.number, groups?.second].filter((number) => number !== undefined);
      const isThere = numbers.every((number) =>
        SECTIONS.some((title) => title.startsWith(`${number}${number.includes('.') ? '' : '.'} `)),
      );
      const name = groups?.name?.toLowerCase() ?? '';
      const inside = SECTIONS.filter(
        (title) => title.startsWith(`${groups?.number}.`) || title.startsWith(`${groups?.number} `),
      );
      const isNamed = inside.some((title) => title.toLowerCase().includes(name));
      return isThere && isNamed ? [] : [citation];
    });

  it('cites only headings of docs/contract.md that exist', () => {
    const broken = SOURCES.flatMap((file) => missing(file).map((citation) => `${file}: ${citation}`));
    expect(broken).toEqual([]);
  });
});

describe('README.md', () => {
  it(`keeps the README within ${MAX_README_LINES} lines`, () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  });
});

describe('paths in documentation', () => {
  const PATH = /`((?:src|activities|workflows|test|scripts|docs)\/[^`\s]*)`/g;

  it('lists only existing paths in the tree of docs/architecture.md', () => {
    const [, tree = ''] = /^```\n(src\/\n[\s\S]*?)^```/m.exec(read('docs/architecture.md')) ?? [];
    const paths = tree.split('\n').flatMap((line) => {
      const [names = ''] = line.trim().split(/ {2,}/);
      return names.split(' ').map((name) => (line.startsWith(' ') ? `src/${name}` : name));
    });
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => path !== '' && !isThere(path))).toEqual([]);
  });

  it.each(['CONTRIBUTING.md', 'README.md', ...find('docs/*.md', 'docs/guides/*.md', 'docs/decisions/*.md')])(
    'names only existing paths in %s',
    (document) => {
      const paths = [...prose(document).matchAll(PATH)].map(([, path = '']) => path);
      expect(paths.filter((path) => !isThere(path))).toEqual([]);
    },
  );

  /** `<name>` stands for any name, `{a,b}` for each of them. */
  const isThere = (path: string) =>
    globSync(path.replace(/<[^>]+>/g, '*').replace(/\/$/, ''), { cwd: ROOT }).length > 0;
});
