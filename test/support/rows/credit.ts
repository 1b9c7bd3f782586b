import { balanceOf, type LedgerOwner, writeMovement } from '../../../src/database/ledger/ledger.ts';
import type { Database } from '../../../src/database/orm.ts';
import { paymentAmounts } from '../../../src/domain/ledger.ts';
import { mintId } from '../../../src/ids.ts';

/** Gives a store money that it can send: a settled payment, in its books only. */
export async function credit(database: Database, owner: LedgerOwner, amountCents: number): Promise<void> {
  const createdAt = new Date();
  await writeMovement(database.em.fork(), owner, {
    kind: 'PAYMENT',
    subjectId: mintId('pixCharge', createdAt),
    amounts: paymentAmounts({ paidCents: amountCents, feeCents: 0, isSettled: true }),
    createdAt,
  });
}

/** What a store can send, in cents. */
export async function availableCents(database: Database, owner: LedgerOwner): Promise<number> {
  return (await balanceOf(database.em.fork(), owner)).availableCents;
}
