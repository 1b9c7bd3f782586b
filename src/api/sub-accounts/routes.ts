import { type SubAccount, SubAccountEntity } from '../../database/entities/sub-account.ts';
import { SubAccountEntryEntity } from '../../database/entities/sub-account-entry.ts';
import type { SubAccountId } from '../../domain/ids.ts';
import { PAYOUT_FEE_CENTS } from '../../domain/payout.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import { mintId } from '../../ids.ts';
import { holdMoneyAuthority } from '../../payouts/money-authority.ts';
import { UNREGISTERED_CPF } from '../../providers/sandbox/sandbox-transfers.ts';
import { insertOrFindSubAccount } from '../../sub-accounts/find-sub-accounts.ts';
import { exampleSubAccountId as subAccountId } from '../../wire/splits.ts';
import { bareTaxId, wrongTaxIdAt } from '../customers/fields.ts';
import { brokenRule } from '../frame/errors.ts';
import { presentPage } from '../frame/pagination.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { createdWithin } from '../frame/time-range.ts';
import { createPayout } from '../payouts/create-payout.ts';
import { presentTransfer } from '../payouts/presenter.ts';
import { exampleTransfer, exampleUnderWay, transferView } from '../payouts/schema.ts';
import { presentEntry, presentSubAccount } from './presenter.ts';
import { requireSubAccount, subAccountFilter } from './queries.ts';
import {
  createSubAccountBody,
  entryView,
  exampleEntry,
  exampleSubAccount,
  listEntriesQuery,
  listSubAccountsQuery,
  subAccountQuery,
  subAccountView,
  type UpdateSubAccountBody,
  updateSubAccountBody,
  withdrawBody,
} from './schema.ts';

const create = route({
  method: 'POST',
  path: '/sub-accounts/create',
  summary: 'Create a sub-account',
  description: `A sub-account holds the money of a third party, such as a seller of your marketplace, apart from the store's balance. Parts of PIX
payments reach it by \`data.splits\` of \`transparents/create\`, and leave it by \`sub-accounts/withdraw\`. There is one per tax id: if it
exists, it is returned with its balance and the other fields are ignored.`,
  permission: 'SUB_ACCOUNT:CREATE',
  audited: true,
  body: createSubAccountBody,
  draftRules: async (body) => wrongTaxIdAt(body, 'taxId'),
  response: subAccountView,
  errors: ['INVALID_TAX_ID', 'NOT_ACCEPTABLE'],
  example: {
    body: {
      name: 'Ana Souza Calçados',
      taxId: '529.982.247-25',
      externalId: 'seller-42',
      metadata: { segment: 'shoes' },
    },
    response: { ...exampleSubAccount, balance: 0, updatedAt: exampleSubAccount.createdAt },
  },
  async handler(request) {
    const { key, body, now } = request;
    const taxId = bareTaxId(body.taxId, 'taxId');
    if (taxId === key.store.taxId)
      throw brokenRule('OWN_TAX_ID', 'taxId', "is the store's own: its money is in the store's balance");
    const row: SubAccount = {
      id: mintId<SubAccountId>('subAccount', now),
      storeId: key.storeId,
      devMode: key.devMode,
      name: body.name,
      taxId,
      taxIdHash: null,
      externalId: body.externalId ?? null,
      metadata: body.metadata ?? {},
      balanceCents: 0,
      entryCount: 0,
      createdAt: now,
      updatedAt: now,
    };
    return request.transaction(async (em) => {
      await holdMoneyAuthority(em, key, 'payout', request.realNow);
      const account = await insertOrFindSubAccount(em, row);
      if (account === row) await request.recordAction(em, row.id);
      return presentSubAccount(account);
    });
  },
});

const update = route({
  method: 'POST',
  path: '/sub-accounts/update',
  summary: 'Update a sub-account',
  description: `Given fields replace stored ones; omitted and null fields stay unchanged. \`metadata\` is replaced as a whole. The tax id
never changes, because the money belongs to its holder: create another sub-account for another one.`,
  permission: 'SUB_ACCOUNT:CREATE',
  audited: true,
  body: updateSubAccountBody,
  response: subAccountView,
  errors: ['NOT_FOUND'],
  example: {
    body: { id: subAccountId, externalId: 'seller-42' },
    response: exampleSubAccount,
  },
  async handler(request) {
    const { em, key, body, now } = request;
    const { id } = await requireSubAccount(em, key, body.id);
    await request.transaction(async (tx) => {
      await holdMoneyAuthority(tx, key, 'payout', request.realNow);
      await tx.nativeUpdate(SubAccountEntity, { id }, { ...changesIn(body), updatedAt: now });
      await request.recordAction(tx, id);
    });
    return presentSubAccount(await requireSubAccount(em, key, id));
  },
});

function changesIn({ name, externalId, metadata }: UpdateSubAccountBody): Partial<SubAccount> {
  return { ...(name && { name }), ...(externalId && { externalId }), ...(metadata && { metadata }) };
}

const get = route({
  method: 'GET',
  path: '/sub-accounts/get',
  summary: 'Get a sub-account',
  permission: 'SUB_ACCOUNT:READ',
  query: subAccountQuery,
  response: subAccountView,
  errors: ['NOT_FOUND'],
  example: { response: exampleSubAccount },
  handler: async ({ em, key, query }) => presentSubAccount(await requireSubAccount(em, key, query.id)),
});

const list = listRoute({
  path: '/sub-accounts/list',
  summary: 'List sub-accounts, newest first',
  permission: 'SUB_ACCOUNT:READ',
  query: listSubAccountsQuery,
  response: subAccountView,
  errors: [],
  example: { response: exampleSubAccount },
  handler: (request) =>
    presentPage(
      request,
      SubAccountEntity,
      subAccountFilter(request.em, request.key, request.query),
      presentSubAccount,
    ),
});

const movements = listRoute({
  path: '/sub-accounts/movements',
  summary: "List changes of a sub-account's balance, newest first",
  permission: 'SUB_ACCOUNT:READ',
  query: listEntriesQuery,
  response: entryView,
  errors: ['NOT_FOUND'],
  example: { response: exampleEntry },
  async handler(request) {
    const { em, key, query } = request;
    const account = await requireSubAccount(em, key, query.id);
    const where = {
      subAccountId: account.id,
      ...createdWithin(query),
      ...(query.kind !== undefined && { kind: query.kind }),
    };
    return presentPage(request, SubAccountEntryEntity, where, presentEntry);
  },
});

const withdraw = route({
  method: 'POST',
  path: '/sub-accounts/withdraw',
  summary: "Send a sub-account's money to its holder",
  description: `The money goes to the PIX key that is the holder's CPF or CNPJ, which the holder has registered at a bank. The amount leaves the
sub-account's balance at once; the holder receives it less \`platformFee\`. It is a transfer: you get \`transfer.completed\`, or
\`transfer.failed\` and the amount returns to the sub-account. \`pix/get\` and \`pix/list\` show it, and the store's limits and approvals
apply. In dev mode a withdrawal to the CPF \`${formatTaxId(UNREGISTERED_CPF)}\` fails with
\`key_not_found\`.`,
  permission: 'SUB_ACCOUNT:WITHDRAW',
  audited: true,
  body: withdrawBody,
  response: transferView,
  errors: [
    'NOT_FOUND',
    'NO_PAYMENT_PROVIDER',
    'NOT_ACCEPTABLE',
    'PAYOUT_LIMIT_EXCEEDED',
    'INSUFFICIENT_FUNDS',
    'INSUFFICIENT_FUNDS_AT_ACCOUNT',
    'EXTERNAL_ID_CONFLICT',
  ],
  example: {
    body: { id: subAccountId, amount: 7_000, externalId: 'seller-42-october' },
    response: {
      ...exampleTransfer,
      ...exampleUnderWay,
      amount: 7_000,
      externalId: 'seller-42-october',
      description: null,
      subAccountId,
      pix: { type: 'CPF', key: '529.***.***-**', txid: null },
    },
  },
  async handler(request) {
    const { em, key, body, deps } = request;
    const account = await requireSubAccount(em, key, body.id);
    const destination = { type: account.taxId.length === 11 ? 'CPF' : 'CNPJ', key: account.taxId } as const;
    const order = {
      kind: 'TRANSFER',
      amountCents: body.amount - PAYOUT_FEE_CENTS,
      externalId: body.externalId,
      description: body.description ?? null,
      destination,
      subAccountId: account.id,
    } as const;
    return presentTransfer(await createPayout(request, order), deps.publicUrl);
  },
});

export {
  create as createSubAccount,
  get as getSubAccount,
  list as listSubAccounts,
  movements as listSubAccountMovements,
  update as updateSubAccount,
  withdraw as withdrawFromSubAccount,
};

/** Money of third parties (AbacatePay's public documentation of autumn 2026; `update` and `movements` are our additions). */
export const subAccountRoutes: readonly Route[] = [create, update, get, list, movements, withdraw];
