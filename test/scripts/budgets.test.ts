import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { budgetProblems, lowerBudgets } from '../../scripts/check-budgets.ts';

const BUDGETS = 'scripts/budgets.txt';

const roots: string[] = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** A project of these files, which are given by path and content. */
function project(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'recebe-budgets-'));
  roots.push(root);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}

it.each([
  ['decision pages', { 'docs/decisions/README.md': '', 'docs/decisions/0001-a.md': '' }],
  ['lines of CONTRIBUTING.md', { 'CONTRIBUTING.md': 'One line.\n' }],
  [
    'comparisons with a payment method',
    {
      'src/a.ts': "if (method === 'CARD') stop();\n",
      'src/database/migrations/0001-a.ts': "create index on charges (id) where method = 'CARD'\n",
      'src/charges/methods/card.ts': "if (method === 'CARD') stop();\n",
      'src/providers/a/b.ts': "switch (method) {\n  case 'PIX':\n}\n",
    },
  ],
  ['comparisons with a payment method', { 'src/a.ts': "select id from charges where method in ('PIX')\n" }],
  ['calls of patched in workflows', { 'workflows/lib/a.ts': "if (patched('a')) stop();\n" }],
  ['queries without an identity map', { 'src/a.ts': 'const options = { disableIdentityMap: true };\n' }],
])('counts one of the %s and refuses more than the budget', (name, files) => {
  expect(budgetProblems(project({ ...files, [BUDGETS]: `${name}: 1\n` }))).toEqual({
    problems: [],
    isTooHigh: false,
  });
  expect(budgetProblems(project({ ...files, [BUDGETS]: `${name}: 0\n` })).problems).toEqual([
    `1 ${name}, 0 allowed`,
  ]);
});

it('counts the lower of two lines that a merge has kept', () => {
  const lines = 'lines of CONTRIBUTING.md: 3\nlines of CONTRIBUTING.md: 1\n';
  const root = project({ 'CONTRIBUTING.md': 'a\nb\n', [BUDGETS]: lines });
  expect(budgetProblems(root).problems).toEqual(['2 lines of CONTRIBUTING.md, 1 allowed']);
});

it('asks to lower a budget above its number, and never raises one', () => {
  const lines = 'decision pages: 0\nlines of CONTRIBUTING.md: 9\n';
  const root = project({ 'docs/decisions/0001-a.md': '', 'CONTRIBUTING.md': 'a\n', [BUDGETS]: lines });
  expect(budgetProblems(root).isTooHigh).toBe(true);
  lowerBudgets(root);
  expect(readFileSync(join(root, BUDGETS), 'utf8')).toBe('decision pages: 0\nlines of CONTRIBUTING.md: 1\n');
});

it('refuses a budget that nothing counts', () => {
  expect(() => budgetProblems(project({ [BUDGETS]: 'lines of poetry: 1\n' }))).toThrow(
    'scripts/budgets.txt has an unknown budget: lines of poetry',
  );
});
