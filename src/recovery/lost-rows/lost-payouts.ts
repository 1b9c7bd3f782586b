import { PayoutEntity } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import type { PayoutId } from '../../domain/ids.ts';
import { isIdOf } from '../../ids.ts';
import { listedPayoutsOf, pagesOfTransfers } from '../../providers/pages-of-transfers.ts';
import type { TimeWindow } from '../../providers/ports/pages.ts';
import type { SentTransfer } from '../../providers/ports/payouts.ts';
import type { Account } from './lost-charges.ts';

/** A transfer that was ordered by this service and has no row. */
export interface LostPayout extends SentTransfer {
  readonly reference: PayoutId;
}

/**
 * Payouts and transfers that were ordered at the account's bank since then, and that have no row. A failed one needs no row: it
 * moved no money, and a repeated request learns its result.
 * @throws what the provider throws; nothing is changed.
 */
export async function lostPayouts(
  em: Em,
  { provider }: Pick<Account, 'provider'>,
  time: TimeWindow,
): Promise<LostPayout[]> {
  const payouts = listedPayoutsOf(provider);
  if (payouts === null) return [];
  const lost = new Map<PayoutId, LostPayout>();
  for await (const { items } of pagesOfTransfers(payouts, time)) {
    const ours = items.filter(isOurs).filter(({ status }) => status !== 'FAILED');
    if (ours.length === 0) continue;
    const ids = ours.map(({ reference }) => reference);
    const rows = await em.find(
      PayoutEntity,
      { id: { $in: ids } },
      { fields: ['id'], disableIdentityMap: true },
    );
    const known = new Set(rows.map(({ id }) => id));
    for (const transfer of ours) if (!known.has(transfer.reference)) lost.set(transfer.reference, transfer);
  }
  return [...lost.values()];
}

function isOurs(transfer: SentTransfer): transfer is LostPayout {
  return isIdOf('payout', transfer.reference ?? '');
}
