import { type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import type { PayoutId } from '../../domain/ids.ts';
import type { PayoutKind, PayoutStatus } from '../../domain/payout.ts';
import type { Caller } from '../frame/caller.ts';
import { notFound } from '../frame/errors.ts';

interface PayoutFilters {
  readonly id?: string | undefined;
  readonly externalId?: string | undefined;
  readonly status?: PayoutStatus | undefined;
}

/** The caller's payouts, or transfers, of its store and environment, that match. */
export function payoutFilter(
  { storeId, devMode }: Caller,
  kind: PayoutKind,
  { id, externalId, status }: PayoutFilters,
) {
  return {
    storeId,
    devMode,
    kind,
    ...(id !== undefined && { id: id as PayoutId }),
    ...(externalId !== undefined && { externalId }),
    ...(status !== undefined && { status }),
  };
}

/** @throws ApiError 404, the same for one that is another store's, of the other environment or kind, or never was. */
export async function requirePayout(
  em: Em,
  caller: Caller,
  kind: PayoutKind,
  key: Pick<PayoutFilters, 'id' | 'externalId'>,
): Promise<Payout> {
  const where = payoutFilter(caller, kind, key);
  const payout = await em.findOne(PayoutEntity, where, { disableIdentityMap: true });
  if (payout === null) throw notFound(kind === 'PAYOUT' ? 'Payout' : 'Transfer');
  return payout;
}
