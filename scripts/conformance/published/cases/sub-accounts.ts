import { type Case, failed, get, ok, post } from '../case.ts';
import { listWith, startsWith, text, whole } from '../shape.ts';
import { SELLER } from '../shop.ts';

const subAccount = { id: startsWith('sacc_'), name: text, taxId: text, balance: whole };
const withdrawal = { externalId: 'repasse-vendedor-42-out', description: 'Repasse de outubro' };

/** Money of sellers (pages of November 2026). The fields of an entry of `splits` were not seen. */
export const SUB_ACCOUNTS: readonly Case[] = [
  {
    page: 'pages/sub-accounts/create',
    fact: 'the same tax id returns the existing one with its balance, and ignores the other fields',
    send: () => post('/sub-accounts/create', { ...SELLER, name: 'Outro nome' }),
    status: 200,
    body: (shop) => ok({ ...subAccount, id: shop.subAccount, name: SELLER.name, balance: 7_000 }),
  },
  {
    page: 'pages/sub-accounts/create',
    fact: 'takes metadata of texts',
    send: () => post('/sub-accounts/create', { ...SELLER, metadata: { cidade: 'Recife' } }),
    status: 200,
    body: ok(subAccount),
  },
  {
    page: 'pages/sub-accounts/create',
    fact: 'a name has at most 100 characters',
    send: () => post('/sub-accounts/create', { ...SELLER, name: 'x'.repeat(101) }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'pages/sub-accounts/list',
    fact: 'lists sub-accounts',
    send: () => get('/sub-accounts/list'),
    status: 200,
    body: ({ subAccount: id }) => ok(listWith({ ...subAccount, id })),
  },
  {
    page: 'pages/sub-accounts/get',
    fact: 'finds one by id',
    send: ({ subAccount: id }) => get(`/sub-accounts/get?id=${id}`),
    status: 200,
    body: ({ subAccount: id }) => ok({ ...subAccount, id }),
  },
  {
    page: 'pages/sub-accounts/reference',
    fact: 'a split charge is a charge like others',
    send: ({ splitPix: id }) => get(`/transparents/check?id=${id}`),
    status: 200,
    body: ({ splitPix: id }) => ok({ id, status: 'PAID' }),
  },
  {
    page: 'pages/sub-accounts/withdraw',
    fact: 'at least 100 cents',
    send: ({ subAccount: id }) => post('/sub-accounts/withdraw', { ...withdrawal, id, amount: 99 }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'pages/sub-accounts/withdraw',
    fact: 'needs an externalId',
    send: ({ subAccount: id }) => post('/sub-accounts/withdraw', { id, amount: 1_000 }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'pages/sub-accounts/withdraw',
    fact: 'a description has at most 140 characters',
    send: ({ subAccount: id }) =>
      post('/sub-accounts/withdraw', { ...withdrawal, id, amount: 1_000, description: 'x'.repeat(141) }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'pages/sub-accounts/withdraw',
    fact: 'answers as pix/send does, with subAccountId',
    send: ({ subAccount: id }) => post('/sub-accounts/withdraw', { ...withdrawal, id, amount: 7_000 }),
    status: 200,
    body: ({ subAccount: subAccountId }) =>
      ok({ id: text, status: text, amount: 7_000, platformFee: whole, ...withdrawal, subAccountId }),
  },
  {
    page: 'pages/sub-accounts/withdraw',
    fact: 'more than the balance of the sub-account is refused, whatever the store has',
    send: ({ subAccount: id }) =>
      post('/sub-accounts/withdraw', { id, amount: 100, externalId: 'repasse-vendedor-42-nov' }),
    status: 422,
    body: failed(text),
  },
];
