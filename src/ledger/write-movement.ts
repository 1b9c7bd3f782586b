import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { LedgerAmounts, MovementKind } from '../domain/ledger.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { AMOUNT_COLUMNS, AMOUNT_VALUES } from './amount-columns.ts';

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
