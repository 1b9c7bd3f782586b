import type { LedgerAmounts } from '../domain/ledger.ts';

/** The column of each amount, in `ledger_movements` and wherever movements are summed. A new account is added here and in a migration. */
const COLUMN_OF = {
  clearingCents: 'clearing_cents',
  pendingCents: 'pending_cents',
  availableCents: 'available_cents',
  blockedCents: 'blocked_cents',
  outgoingCents: 'outgoing_cents',
  platformFeesCents: 'platform_fees_cents',
  suspenseCents: 'suspense_cents',
  subAccountsCents: 'sub_accounts_cents',
} as const satisfies Record<keyof LedgerAmounts, string>;

const AMOUNTS = Object.keys(COLUMN_OF) as readonly (keyof LedgerAmounts)[];

export const AMOUNT_COLUMN_NAMES: readonly string[] = Object.values(COLUMN_OF);

/** The columns that hold amounts, in the order of {@link AMOUNT_VALUES} and {@link amountExpressions}. */
export const AMOUNT_COLUMNS = AMOUNT_COLUMN_NAMES.join(', ');

/** The same as parameters of a statement that is given `amounts`. */
export const AMOUNT_VALUES = AMOUNTS.map((name) => `:amounts.${name}`).join(', ');

/** The same as expressions of SQL: 0 for each that is not given. */
export function amountExpressions(given: Partial<Record<keyof LedgerAmounts, string>>): string {
  return AMOUNTS.map((name) => given[name] ?? '0').join(', ');
}

/** Amounts by the names of their columns. */
export function amountsByColumn(amounts: LedgerAmounts): Record<string, number> {
  return Object.fromEntries(AMOUNTS.map((name) => [COLUMN_OF[name], amounts[name]]));
}

/** Of a settlement: `net_cents`, the column of the statement that settles, moves from pending to available. */
export const SETTLED_AMOUNTS = amountExpressions({ pendingCents: '-net_cents', availableCents: 'net_cents' });
