import { expect, it } from '@jest/globals';
import { discountText } from '../../../src/web/dashboard/catalog/coupon-words.ts';
import { sayIn } from '../../../src/web/dashboard/frame/locale.ts';
import { differenceWords, isAboutTheSame } from '../../../src/web/dashboard/home/comparison.ts';
import { percent } from '../../../src/web/dashboard/words.ts';

it.each([
  [150, 100, '50% more'],
  [50, 100, '50% less'],
  [0, 100, '100% less'],
  [999, 100, '899% more'],
  [1_000, 100, 'much more'],
  [129_453_00, 100, 'much more'],
  [5, 0, 'new'],
])('compares %d with %d as "%s"', (now, before, words) => {
  expect(differenceWords({ say: sayIn('en'), locale: 'en' }, now, before)).toBe(words);
});

it.each([
  [810, 809, true],
  [1_000, 1_004, true],
  [1_000, 1_006, false],
  [1, 0, false],
])('sees %d and %d as about the same: %s', (now, before, isSame) => {
  expect(isAboutTheSame(now, before)).toBe(isSame);
});

it.each([
  ['en', '86%', '12.5%'],
  ['pt-BR', '86%', '12,5%'],
  ['es', '86\u00a0%', '12,5\u00a0%'],
] as const)('writes percentages in %s as people there do', (locale, share, discount) => {
  expect(percent(86, 100, locale)).toBe(share);
  expect(discountText({ discountKind: 'PERCENTAGE', discount: 12.5 }, locale)).toBe(discount);
});
