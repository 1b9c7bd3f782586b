import { describe, expect, it } from '@jest/globals';
import { broken, type Case, judge, ok } from '../../scripts/conformance/published/case.ts';
import { CASES } from '../../scripts/conformance/published/cases.ts';
import {
  absent,
  differences,
  listOf,
  listWith,
  orNull,
  startsWith,
  text,
  whole,
} from '../../scripts/conformance/published/shape.ts';
import type { Shop } from '../../scripts/conformance/published/shop.ts';

const NO_SHOP = new Proxy({}, { get: (_, name) => `${String(name)}_id` }) as Shop;

describe('what a page says of an answer', () => {
  const shape = { id: startsWith('cust_'), name: text, tags: [1, 2], extra: absent, note: orNull(text) };
  const value = { id: 'cust_1', name: '', tags: [1, 2], note: null, more: true };

  it('accepts an answer that has more fields', () => {
    expect(differences(shape, value)).toEqual([]);
  });

  it.each([
    ['another kind of id', { ...value, id: 'prod_1' }, 'id is "prod_1" instead of cust_…'],
    ['a missing field', { ...value, name: undefined }, 'name is absent instead of a text'],
    ['a longer list', { ...value, tags: [1, 2, 3] }, 'tags is [1,2,3] instead of a list of 2'],
    ['a field that must be absent', { ...value, extra: 1 }, 'extra is 1 instead of no such field'],
    ['another answer', null, 'it is null instead of an object or list'],
  ])('names %s', (_what, answer, line) => {
    expect(differences(shape, answer)).toEqual([line]);
  });

  it('refuses an empty list, and one with a wrong element', () => {
    expect(differences(listOf({ amount: whole }), [])).toHaveLength(1);
    expect(differences(listOf({ amount: whole }), [{ amount: 1 }, { amount: '1' }])).toHaveLength(1);
    expect(differences(listWith({ amount: 2 }), [{ amount: 1 }])).toHaveLength(1);
  });
});

describe('the published cases', () => {
  it('judges status and body', () => {
    const each: Case = {
      page: 'a',
      fact: 'b',
      send: () => ({ method: 'GET', path: '/' }),
      status: 200,
      body: ok({ id: text }),
    };
    const answer = { status: 200, body: { data: { id: 'x' }, success: true, error: null } };
    expect(judge(each, NO_SHOP, answer)).toEqual([]);
    expect(judge(each, NO_SHOP, { ...answer, status: 201 })).toEqual(['the status is 201 instead of 200']);
    expect(judge(each, NO_SHOP, broken(answer))).toEqual(['data.id is absent instead of a text']);
  });

  it('lists at least 60 facts that must be met, each once with its page', () => {
    expect(CASES.filter(({ differs }) => differs === undefined).length).toBeGreaterThanOrEqual(60);
    expect(new Set(CASES.map(({ page, fact }) => `${page}: ${fact}`)).size).toBe(CASES.length);
    for (const { page } of CASES) expect(page).toMatch(/^(pages\/|openapi(-v1)?\.yaml )/);
  });

  it.each(
    CASES.filter(({ differs }) => differs === undefined).map((each) => [each.page, each.fact, each] as const),
  )('refuses a broken answer: %s, %s', (_page, _fact, each) => {
    expect(judge(each, NO_SHOP, broken({ status: each.status, body: {} }))).not.toEqual([]);
  });
});
