import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fileBreaches, lowerAllowance, proseProblems } from '../../scripts/check-prose.ts';
import { titleBreach, titlesOf } from '../../scripts/prose/titles.ts';

const ALLOWANCE = 'scripts/prose/allowance.txt';

const roots: string[] = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** A project of these files, which are given by path and content. */
function project(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'recebe-prose-'));
  roots.push(root);
  for (const [file, content] of Object.entries({ [ALLOWANCE]: '', ...files })) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}

function refusals(file: string, source: string): string[] {
  return fileBreaches(file, source).map(({ text }) => text);
}

describe('words', () => {
  it.each([
    ['The store is told of it.', 'told'],
    ['The caption of before the change.', 'of before'],
    ['The run continues, or goes on', 'goes on'],
    ['The run\ngoes\non by itself.', 'goes on'],
    ['Deleted by whoever runs it.', 'whoever'],
    ['Null where the text is none.', 'is none'],
    ['Another target is a 409.', 'is a 409'],
    ['What belongs to another store is not shown.', 'What belongs to another store is n'],
    ['Of each method, one account is active.', 'Of each method,'],
  ])('refuses the text "%s"', (text, found) => {
    expect(refusals('docs/a.md', text)).toEqual([expect.stringContaining(`says "${found}":`)]);
  });

  it.each([
    'The process lives on a server behind a gate.',
    'Somebody has forgotten the password.',
    'The store name goes on the invoice.',
    'The header tells clients when to retry.',
    'Null if there is none.',
    'How long it took in all.',
    'The service returns a 404 page.',
    'Of course, this works.',
    '## What is left is refunded',
    'What is left, and who is paid?',
    'What one check found: nothing, or its output.',
    'What is known of a charge that has ended.',
  ])('accepts the text "%s"', (text) => {
    expect(refusals('docs/a.md', text)).toEqual([]);
  });

  it('reads comments with their lines and ignores code, strings and quoted names', () => {
    const source = [
      'const told = "made anew"; // Made anew.',
      "const url = 'http://a.example // anew';",
      '/**',
      ' * Calls `told` once. What is left',
      ' * is refunded.',
      ' */',
    ].join('\n');
    expect(refusals('src/a.ts', source)).toEqual([
      expect.stringContaining('src/a.ts:1 says "anew"'),
      expect.stringContaining('src/a.ts:4 says "What is left is r"'),
    ]);
    expect(refusals('docs/a.md', '```sh\ntold anew\n```\n')).toEqual([]);
  });
});

describe('texts in code', () => {
  it.each([
    ['a description', "z.string().meta({ description: 'Sent anew.', example: 'told' })"],
    ['a description in parts', "const a = {\n  summary:\n    'Sent ' +\n    'anew.',\n  path: 'told',\n};"],
    ['an error of a command', `throw new UsageError(\`sent \${"told"} anew\`);`],
    ['output', `print(json ? text : \`Sent\\nanew: \${list.map(() => \`told\`)}\`);`],
    ['an option', "command.description('Sends it anew')"],
    ['an event', "defineEvent('Sent anew', 'told')"],
    ['a log line', "deps.log.warn({ err }, 'sent anew');"],
  ])('reads %s and no other literal', (_what, source) => {
    expect(refusals('src/a.ts', source)).toEqual([expect.stringContaining('says "anew"')]);
  });

  it('reads the values of a catalog and not its keys', () => {
    expect(
      refusals('src/web/i18n/locales/en.json', '{\n  "a.anew": "b",\n  "a.b": "Sent anew."\n}\n'),
    ).toEqual([expect.stringContaining('en.json:3 says "anew"')]);
  });

  it('reads the comments of YAML and not its values', () => {
    const source = '# Sent\n# anew.\na: "anew # anew" # Told.\nb: anew#anew\n';
    expect(refusals('docker-compose.yml', source)).toEqual([
      expect.stringContaining('yml:3 says "Told"'),
      expect.stringContaining('yml:2 says "anew"'),
    ]);
  });
});

describe('titles', () => {
  it.each([
    'returns 404 for another store',
    'every response sets frame-ancestors, CSP and no-store',
    'never sends a notification twice',
    'names the one without a hash',
    'refunds the fee in proportion',
    '%s ends a charge',
  ])('accepts the title "%s"', (title) => {
    expect(titleBreach(title)).toBeNull();
  });

  it.each(['is refunded', 'payments are refunded', 'controls are set', 'of another store is not there'])(
    'refuses "%s" for its first word',
    (title) => {
      expect(titleBreach(title)).toMatch(/^starts with/);
    },
  );

  it('accepts 80 characters and refuses 81', () => {
    expect(titleBreach(`returns ${'a'.repeat(72)}`)).toBeNull();
    expect(titleBreach(`returns ${'a'.repeat(73)}`)).toBe('has 81 characters, 80 are allowed');
  });

  it('finds titles after tables and modifiers, and ignores methods of a fixture', () => {
    const source = [
      "it('one', () => {});",
      "it.each([\n  ['x'],\n])('two %s', () => {});",
      "test.skip('three', () => {});",
      "test.drop('four');",
    ].join('\n');
    expect(titlesOf(source).map(({ text }) => text)).toEqual(['one', 'two %s', 'three']);
  });
});

describe('allowance', () => {
  const twice = 'Made anew.\n\nMade anew.\n';

  it('fails for more breaches than allowed and names each line', () => {
    const root = project({ 'a.md': twice, [ALLOWANCE]: 'a.md: 1 words, 0 titles\n' });
    const { problems } = proseProblems(root);
    expect(problems).toEqual([
      '2 words, 1 allowed in:',
      '  a.md:1 says "anew": again',
      '  a.md:3 says "anew": again',
    ]);
  });

  it('passes with a note for fewer breaches than allowed and for a deleted file', () => {
    const more = project({ 'a.md': twice, [ALLOWANCE]: 'a.md: 3 words, 0 titles\n' });
    const gone = project({ [ALLOWANCE]: 'a.md: 3 words, 0 titles\n' });
    expect(proseProblems(more)).toMatchObject({ problems: [], isTooHigh: true });
    expect(proseProblems(gone)).toMatchObject({ problems: [], isTooHigh: true });
  });

  it('counts the lower of two lines that a merge has kept', () => {
    const lines = 'a.md: 3 words, 0 titles\na.md: 1 words, 0 titles\n';
    expect(proseProblems(project({ 'a.md': twice, [ALLOWANCE]: lines })).problems).toHaveLength(3);
  });

  it('lowers numbers, sorts files and raises none', () => {
    const lines = 'b.md: 9 words, 2 titles\na.md: 1 words, 0 titles\n';
    const root = project({ 'a.md': twice, 'b.md': twice, 'c.md': twice, [ALLOWANCE]: lines });
    lowerAllowance(root);
    expect(readFileSync(join(root, ALLOWANCE), 'utf8')).toBe(
      'a.md: 1 words, 0 titles\nb.md: 2 words, 0 titles\n',
    );
  });

  it('moves the allowance of a renamed file and gives it no more', () => {
    const root = project({ 'new.md': `${twice}\n${twice}`, [ALLOWANCE]: 'old.md: 3 words, 0 titles\n' });
    lowerAllowance(root);
    expect(readFileSync(join(root, ALLOWANCE), 'utf8')).toBe('new.md: 3 words, 0 titles\n');
  });
});
