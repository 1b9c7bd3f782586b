import { expect, it } from '@jest/globals';
import { table } from '../../src/cli/present.ts';

it('prints names that others chose without what would steer a terminal', () => {
  const name = 'Ana\u001b[2J\u001b]0;root\u0007\r\n\u202eanA';
  const text = table(['NAME'], [[name]], 'Nobody.');
  expect(text.split('\n')).toHaveLength(2);
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u);
  expect(text).toContain('Ana\u{fffd}[2J');
});
