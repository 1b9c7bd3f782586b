import type { Logger } from 'pino';
import { noteAttention } from '../database/attention.ts';
import type { Em } from '../database/orm.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { balanceOf } from './balance.ts';

/**
 * Notes, in the caller's transaction, that a store owes money: its bank refunded, or a payer's bank reversed, money that
 * the store has already spent. The caller has written the movement, so the balance is locked. A sweep closes the note once the
 * balance is not negative any more (`closeNegativeBalances`).
 *
 * Only in production: in dev mode everyone with a key can open disputes, and nobody has to act on one.
 */
export async function noteIfNegative(
  em: Em,
  log: Logger,
  { storeId, devMode }: StoreEnvironment,
  now: Date,
): Promise<void> {
  if (devMode) return;
  const { availableCents } = await balanceOf(em, { storeId, devMode });
  if (availableCents >= 0) return;
  const noted = { kind: 'NEGATIVE_BALANCE', subjectId: storeId, storeId, devMode, since: now, now } as const;
  await noteAttention(em, noted, log);
}
