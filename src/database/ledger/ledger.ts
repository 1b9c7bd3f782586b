import type { StoreId } from '../../domain/ids.ts';
import type { LedgerAmounts, MovementKind } from '../../domain/ledger.ts';
import type { Em } from '../orm.ts';

/** Whose books: those of one store in one environment. */
export interface LedgerOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

export interface Movement {
  readonly kind: MovementKind;
  /** Id of what the money moved for: a charge, refund, dispute or payout. */
  readonly subjectId: string;
  readonly amounts: LedgerAmounts;
  readonly createdAt: Date;
}

/** The columns of `ledger_movements` that hold amounts, in the order of {@link amountValues}. */
export const AMOUNT_COLUMNS =
  'clearing_cents, pending_cents, available_cents, blocked_cents, outgoing_cents, platform_fees_cents';

export function amountValues(amounts: LedgerAmounts): number[] {
  const { clearingCents, pendingCents, availableCents, blockedCents, outgoingCents, platformFeesCents } =
    amounts;
  return [clearingCents, pendingCents, availableCents, blockedCents, outgoingCents, platformFeesCents];
}

/**
 * Writes a movement in the caller's transaction, once per kind and subject; a trigger adds it to the balances. From here to
 * the commit the owner's balance is locked, so it comes last: after every other lock of the transaction.
 */
export async function writeMovement(
  em: Em,
  { storeId, devMode }: LedgerOwner,
  movement: Movement,
): Promise<void> {
  const { kind, subjectId, amounts, createdAt } = movement;
  await em.execute(
    `insert into ledger_movements (subject_id, kind, store_id, dev_mode, ${AMOUNT_COLUMNS}, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (subject_id, kind) do nothing`,
    [subjectId, kind, storeId, devMode, ...amountValues(amounts), createdAt],
    'run',
  );
}

interface BalanceRow {
  readonly available: string;
  readonly pending: string;
  readonly blocked: string;
}

const BALANCE = `select available_cents::text as available, pending_cents::text as pending, blocked_cents::text as blocked
  from ledger_balances where store_id = ? and dev_mode = ?`;

/** What a store has, in cents. */
export interface Balance {
  readonly availableCents: number;
  readonly pendingCents: number;
  readonly blockedCents: number;
}

export async function balanceOf(em: Em, owner: LedgerOwner): Promise<Balance> {
  return readBalance(em, owner, BALANCE);
}

/** The same, held until the transaction ends: nobody else spends it meanwhile. */
export async function lockBalance(em: Em, owner: LedgerOwner): Promise<Balance> {
  return readBalance(em, owner, `${BALANCE} for update`);
}

async function readBalance(em: Em, { storeId, devMode }: LedgerOwner, statement: string): Promise<Balance> {
  const [row] = await em.execute<BalanceRow[]>(statement, [storeId, devMode]);
  return {
    availableCents: Number(row?.available ?? 0),
    pendingCents: Number(row?.pending ?? 0),
    blockedCents: Number(row?.blocked ?? 0),
  };
}
