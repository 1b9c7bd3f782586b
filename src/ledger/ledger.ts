import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { LedgerAmounts, MovementKind } from '../domain/ledger.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/** Whose books, and the provider account where the money lies: that of the charge, payment or payout that moves it. */
export interface MovementOwner extends StoreEnvironment {
  readonly provider: string;
}

export interface Movement {
  readonly kind: MovementKind;
  /** Id of what the money moved for: a charge, refund, dispute, payout, or a payment in suspense. */
  readonly subjectId: string;
  readonly amounts: LedgerAmounts;
  readonly createdAt: Date;
}

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

const WRITE = statement<{ owner: MovementOwner; movement: Movement; amounts: LedgerAmounts }>(
  'write a movement',
  () => `
    insert into ledger_movements (subject_id, kind, store_id, dev_mode, provider, ${AMOUNT_COLUMNS}, created_at)
    values (:movement.subjectId, :movement.kind, :owner.storeId, :owner.devMode, :owner.provider, ${AMOUNT_VALUES},
      :movement.createdAt)
    on conflict (subject_id, kind) do nothing`,
);

/**
 * Writes a movement in the caller's transaction, once per kind and subject; a trigger adds it to the
 * balances. From here to the commit the owner's balance is locked, so it comes last: after every other lock
 * of the transaction.
 */
export async function writeMovement(em: Em, owner: MovementOwner, movement: Movement): Promise<void> {
  await WRITE(em, { owner, movement, amounts: movement.amounts });
}

const BALANCE = `
  select available_cents as "availableCents", pending_cents as "pendingCents", blocked_cents as "blockedCents",
    sub_accounts_cents as "subAccountsCents"
  from ledger_balances where store_id = :storeId and dev_mode = :devMode`;

const READ_BALANCE = statement<StoreEnvironment, BalanceWithHeld>('read a balance', () => BALANCE);
const LOCK_BALANCE = statement<StoreEnvironment, Balance>('lock a balance', () => `${BALANCE} for update`);

/** Of a store to which nothing was ever paid. */
const NO_BALANCE: BalanceWithHeld = {
  availableCents: 0,
  pendingCents: 0,
  blockedCents: 0,
  subAccountsCents: 0,
};

/** What a store has, in cents. */
export interface Balance {
  readonly availableCents: number;
  readonly pendingCents: number;
  readonly blockedCents: number;
}

/** The same, with what it holds for its sub-accounts: no part of its own money. */
export interface BalanceWithHeld extends Balance {
  readonly subAccountsCents: number;
}

export async function balanceOf(em: Em, owner: StoreEnvironment): Promise<BalanceWithHeld> {
  const [balance = NO_BALANCE] = await READ_BALANCE(em, owner);
  return balance;
}

/** The same, held until the transaction ends: nobody else spends it meanwhile. */
export async function lockBalance(em: Em, owner: StoreEnvironment): Promise<Balance> {
  const [balance = NO_BALANCE] = await LOCK_BALANCE(em, owner);
  return balance;
}
