import { expect, it } from '@jest/globals';
import { sayIn } from '../../../src/web/dashboard/frame/locale.ts';
import { differenceWords } from '../../../src/web/dashboard/home/comparison.ts';

it.each([
  [150, 100, '50 % more'],
  [50, 100, '50 % less'],
  [0, 100, '100 % less'],
  [999, 100, '899 % more'],
  [1_000, 100, 'much more'],
  [129_453_00, 100, 'much more'],
  [5, 0, 'new'],
])('compares %d with %d as "%s"', (now, before, words) => {
  expect(differenceWords(sayIn('en'), now, before)).toBe(words);
});
