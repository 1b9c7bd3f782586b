import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ACTIONS, can, ROLES } from '../../src/domain/role.ts';

it.each([
  ['guides', 'yes'],
  ['pt/guides', 'sim'],
])('matches the table of roles in %s to the code', (folder, yes) => {
  const guide = readFileSync(new URL(`../../docs/${folder}/dashboard.md`, import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\|[^|]*\(`([\w:-]+)`\) \|(.*)\|$/gm)];
  const documented = rows.map(([, action, cells = '']) => [
    action,
    cells.split('|').map((cell) => cell.trim() === yes),
  ]);
  expect(documented).toEqual(ACTIONS.map((action) => [action, ROLES.map((role) => can(role, action))]));
});
