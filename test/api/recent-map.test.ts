import { expect, it } from '@jest/globals';
import { RecentMap } from '../../src/http/recent-map.ts';

it('evicts the entry that was set longest ago, once it is full', () => {
  const map = new RecentMap<string, number>(2);
  map.set('first', 1);
  map.set('second', 2);
  map.set('first', 3);
  map.set('third', 4);
  expect(map.has('second')).toBe(false);
  expect([map.get('first'), map.get('third')]).toEqual([3, 4]);
});

it('evicts nothing if an entry is set again in a full map', () => {
  const map = new RecentMap<string, number>(2);
  map.set('first', 1);
  map.set('second', 2);
  map.set('second', 3);
  expect([map.get('first'), map.get('second')]).toEqual([1, 3]);
});
