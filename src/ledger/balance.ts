import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

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
