import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ACTIONS, can, ROLES } from '../../src/domain/role.ts';

const GUIDE = readFileSync(new URL('../../docs/guides/dashboard.md', import.meta.url), 'utf8');

it('the table of roles in the guide is that of the code', () => {
  const rows = [...GUIDE.matchAll(/^\|[^|]*\(`([\w:-]+)`\) \|(.*)\|$/gm)];
  const told = rows.map(([, action, cells = '']) => [
    action,
    cells.split('|').map((cell) => cell.trim() === 'yes'),
  ]);
  expect(told).toEqual(ACTIONS.map((action) => [action, ROLES.map((role) => can(role, action))]));
});
