import { expect, it } from '@jest/globals';
import type { Exchange } from '../../scripts/conformance/relay.ts';
import { differencesOf } from '../../scripts/conformance/requests-compared.ts';

const exchange = (changes: Partial<Exchange> = {}): Exchange => ({
  method: 'PUT',
  path: `/v2/cob/${'A'.repeat(26)}`,
  headers: { authorization: 'Bearer one', 'content-type': 'application/json', 'user-agent': 'ours' },
  body: { valor: { original: '10.00' }, chave: 'a@b.example' },
  status: 201,
  answer: null,
  violations: [],
  ...changes,
});
const between = (changes: Partial<Exchange>, withBodies = true) =>
  differencesOf([exchange()], [exchange(changes)], { withBodies });

it('finds no difference between equal requests with other ids, tokens and names', () => {
  const headers = { authorization: 'Bearer two', 'content-type': 'application/json;charset=utf-8' };
  expect(between({ path: `/v2/cob/${'b'.repeat(32)}`, headers })).toEqual([]);
});

it.each<[string, Partial<Exchange>, string]>([
  [
    'another address',
    { path: `/v3/cob/${'A'.repeat(26)}` },
    'PUT cob address: ours /v2/cob/{txid}, theirs /v3/cob/{txid}',
  ],
  [
    'a parameter',
    { path: `/v2/cob/${'A'.repeat(26)}?revisao=1` },
    'PUT cob parameter revisao: ours nothing, theirs given',
  ],
  [
    'another scheme',
    { headers: { ...exchange().headers, authorization: 'Basic x' } },
    'PUT cob header authorization: ours Bearer, theirs Basic',
  ],
  [
    'a header',
    { headers: { ...exchange().headers, client_id: 'x' } },
    'PUT cob header client_id: ours nothing, theirs x',
  ],
  [
    'a value',
    { body: { valor: { original: '10' }, chave: 'a@b.example' } },
    'PUT cob field valor.original: ours "10.00", theirs "10"',
  ],
  [
    'a field that is missing',
    { body: { valor: { original: '10.00' } } },
    'PUT cob field chave: ours "a@b.example", theirs nothing',
  ],
])('%s is a difference', (_, changes, difference) => {
  expect(between(changes)).toEqual([difference]);
});

it('ignores requests of one client only, and bodies that the caller provides', () => {
  expect(between({ method: 'POST' })).toEqual([]);
  expect(between({ body: {} }, false)).toEqual([]);
});
