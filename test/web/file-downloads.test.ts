import { beforeEach, expect, it } from '@jest/globals';
import { FileDownloads } from '../../src/web/checkout/file-downloads.ts';

let nextId = 0;
let downloads: FileDownloads;
beforeEach(() => {
  downloads = new FileDownloads();
});

function begin(storeId: string, devMode = false, id = `pix_char_${nextId}`) {
  nextId += 1;
  return downloads.begin({ id, storeId, devMode });
}

/** Begins as many downloads as possible, each of another payment. */
function fill(storeId: string, devMode = false): number {
  let count = 0;
  while (begin(storeId, devMode) !== null) count += 1;
  return count;
}

it('keeps room for other stores, and for production beside dev mode', () => {
  expect(fill('store_a', true)).toBe(64);
  expect(fill('store_a')).toBe(64);
  expect(fill('store_b')).toBe(64);
  // Now only the reserve is left.
  expect(fill('store_c')).toBe(4);
  expect(fill('store_d')).toBe(4);
});

it('gives a place back when a download ends', () => {
  const download = begin('store_a');
  expect(fill('store_a')).toBe(63);
  download?.end();
  expect(fill('store_a')).toBe(1);
});

it('passes three files of a payment on at once', () => {
  const ofOne = Array.from({ length: 4 }, () => begin('store_a', false, 'pix_char_one'));
  expect(ofOne.map((download) => download !== null)).toEqual([true, true, true, false]);
  ofOne[0]?.end();
  expect(begin('store_a', false, 'pix_char_one')).not.toBeNull();
});

it('ends slow downloads earlier while more than half of the places are taken', () => {
  const slow = begin('store_a');
  expect(slow?.leastBytesPerMinute()).toBe(512 * 1024);
  fill('store_a');
  fill('store_b');
  begin('store_c');
  expect(slow?.leastBytesPerMinute()).toBe(8 * 1024 ** 2);
});
