import { expect, it } from '@jest/globals';
import { badge } from '../../../src/web/dashboard/frame/components.ts';

it.each([
  ['paid', 'Paid'],
  ['última', 'Última'],
  ['API key', 'API key'],
  ['', ''],
])('starts the badge %j with a capital', (text, shown) => {
  expect(badge('plain', text).markup).toBe(`<span class="badge badge--plain">${shown}</span>`);
});
