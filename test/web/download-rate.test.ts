import { expect, it } from '@jest/globals';
import { DownloadRate } from '../../src/web/checkout/download-rate.ts';

const MEGABYTE = 1024 ** 2;

/** How long the last of so many megabytes waits, of which each environment asks for the same number at once. */
function longestPauseMs(megabytesEach: number, environments: number): number {
  const rate = new DownloadRate();
  let pauseMs = 0;
  for (let part = 0; part < megabytesEach; part += 1)
    for (let environment = 0; environment < environments; environment += 1)
      pauseMs = rate.pauseMs(`store_${environment} false`, MEGABYTE, 0);
  return pauseMs;
}

it('sends 16 megabytes of a store in a second', () => {
  expect(longestPauseMs(32, 1)).toBeCloseTo(2_000);
});

it('sends 48 megabytes of all stores in a second', () => {
  expect(longestPauseMs(16, 6)).toBeCloseTo(2_000);
});

it('lets a store send at once that has sent little', () => {
  const rate = new DownloadRate();
  rate.pauseMs('store_a false', 8 * MEGABYTE, 0);
  expect(rate.pauseMs('store_b false', MEGABYTE, 500)).toBeCloseTo(1_000 / 16);
});
