import type { Database } from '../../../src/database/orm.ts';
import { paymentAmounts } from '../../../src/domain/ledger.ts';
import type { StoreEnvironment } from '../../../src/domain/store-environment.ts';
import { mintId } from '../../../src/ids.ts';
import { balanceOf } from '../../../src/ledger/balance.ts';
import { type MovementOwner, writeMovement } from '../../../src/ledger/write-movement.ts';

/**
 * Gives a store money that it can send: a settled payment, in its books only.
 * @param owner with the provider account where the money lies; the sandbox unless given.
 */
export async function credit(
  database: Database,
  owner: StoreEnvironment & Partial<MovementOwner>,
  amountCents: number,
): Promise<void> {
  const createdAt = new Date();
  await writeMovement(
    database.em.fork(),
    { provider: 'sandbox', ...owner },
    {
      kind: 'PAYMENT',
      subjectId: mintId('pixCharge', createdAt),
      amounts: paymentAmounts({ paidCents: amountCents, feeCents: 0, isSettled: true }),
      createdAt,
    },
  );
}

/** What a store can send, in cents. */
export async function availableCents(database: Database, owner: StoreEnvironment): Promise<number> {
  return (await balanceOf(database.em.fork(), owner)).availableCents;
}
