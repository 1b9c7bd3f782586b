import { pageOf } from '../frame/pagination.ts';
import { listRoute, type Route } from '../frame/route.ts';
import { partiesOf } from './parties.ts';
import { presentTransaction } from './presenter.ts';
import { bankTransactionView, exampleBankTransaction, listBankStatementQuery } from './schema.ts';
import { placeOf, readTransactions, transactionIdOf } from './transactions.ts';

const list = listRoute({
  path: '/bank-statement/list',
  summary: 'List the transactions of the balance, newest first',
  description:
    'The sum of `amount` with `balanceEffect` `credit`, less those with `debit`, is the available balance of `store/get`. Money that ' +
    'is pending, such as of an approved card, has `none` and appears again when it settles.',
  permission: 'BANK_STATEMENT:READ',
  query: listBankStatementQuery,
  response: bankTransactionView,
  errors: [],
  example: { response: exampleBankTransaction },
  async handler(request) {
    const { em, key, query } = request;
    const page = await pageOf(
      request,
      (wanted) => readTransactions(em, key, query, { ...wanted, from: placeOf(wanted) }),
      (entry) => ({ createdAt: entry.bookedAt, id: transactionIdOf(entry) }),
    );
    const parties = await partiesOf(em, page.items);
    const present = (entry: (typeof page.items)[number]) =>
      presentTransaction(entry, parties(entry), key.devMode);
    return { ...page, items: page.items.map(present) };
  },
});

/** The statement in the form of AbacatePay's API of autumn 2026. */
export const bankStatementRoutes: readonly Route[] = [list];
