import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '../../src/api/frame/errors.ts';
import { FORM_RULES, RULES } from '../../src/api/frame/rules.ts';
import { DECLINE_REASONS } from '../../src/domain/card.ts';

describe.each(['guides', 'pt/guides'])('the guide to errors in docs/%s', (folder) => {
  const guide = readFileSync(new URL(`../../docs/${folder}/errors.md`, import.meta.url), 'utf8');
  const rows = guide.split('\n');

  it('lists every code with its status, every rule and every decline reason', () => {
    const wanted = [
      ...Object.entries(ERRORS).map(([code, { status }]) => `| ${status} | \`${code}\` | `),
      ...Object.keys(FORM_RULES).map((rule) => `| \`${rule}\` | `),
      ...Object.entries(RULES).map(([rule, { code }]) => `| \`${code}\` | \`${rule}\` | `),
      ...DECLINE_REASONS.map((reason) => `| \`${reason}\` | `),
    ];
    expect(wanted.filter((beginning) => !rows.some((row) => row.startsWith(beginning)))).toEqual([]);
  });
});

it('explains each code in English as the API reference does', () => {
  const guide = readFileSync(new URL('../../docs/guides/errors.md', import.meta.url), 'utf8');
  const meanings = [
    ...Object.values(FORM_RULES),
    ...[...Object.values(ERRORS), ...Object.values(RULES)].map(({ meaning }) => meaning),
  ];
  expect(meanings.filter((meaning) => !guide.includes(`| ${meaning} |`))).toEqual([]);
});
