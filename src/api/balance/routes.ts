import { STATEMENT_ACCOUNTS, STATEMENT_KINDS } from '../../domain/ledger.ts';
import { balanceBefore, type EntryFilter, readEntries } from '../../ledger/entries.ts';
import { pageOf, type Wanted } from '../frame/pagination.ts';
import { listRoute, type Route } from '../frame/route.ts';
import { presentBalance } from './balance-fields.ts';
import { entryIdOf, entryOfId, movementColumns, presentMovement } from './presenter.ts';
import {
  exampleMovement,
  exampleStatementFields,
  listMovementsQuery,
  movementView,
  statementFields,
} from './schema.ts';

export const listMovements = listRoute({
  path: '/balance/movements',
  summary: 'List changes of the balance, newest first',
  description: `The statement of the store, in the environment of the API key. Each movement of money has one entry per part of the
balance that it changes, with the total of that part afterwards. A settled amount leaves \`PENDING\` in one entry and enters
\`AVAILABLE\` in another. Amounts are after fees. \`balance\` has the balance at the start and end of the range.`,
  permission: 'STORE:READ',
  alsoNeeds: ['CHECKOUT:READ', 'WITHDRAW:READ'],
  query: listMovementsQuery,
  response: movementView,
  listFields: statementFields,
  errors: [],
  example: { response: exampleMovement, listFields: exampleStatementFields },
  csv: movementColumns,
  async handler(request) {
    const { em, key, query } = request;
    const { account, kind, from = null, to = null } = query;
    const filter: EntryFilter = {
      accounts: account === undefined ? STATEMENT_ACCOUNTS : [account],
      kinds: kind === undefined ? STATEMENT_KINDS : [kind],
      from,
      to,
    };
    const page = await pageOf(
      request,
      (wanted) => readEntries(em, key, filter, { ...wanted, from: placeOf(wanted) }),
      (entry) => ({ createdAt: entry.bookedAt, id: entryIdOf(entry) }),
    );
    const nothing = { availableCents: 0, pendingCents: 0, blockedCents: 0 };
    const opening = from === null ? nothing : await balanceBefore(em, key, from);
    const closing = await balanceBefore(em, key, to);
    return {
      ...page,
      items: page.items.map((entry) => presentMovement(entry, key.devMode)),
      balance: { opening: presentBalance(opening), closing: presentBalance(closing) },
    };
  },
});

/** The ledger of a store as its statement (our addition). */
export const balanceRoutes: readonly Route[] = [listMovements];

function placeOf({ from }: Wanted) {
  return from && { bookedAt: from.createdAt, ...entryOfId(from.id) };
}
