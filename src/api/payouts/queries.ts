import { type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import type { PayoutId } from '../../domain/ids.ts';
import type { PayoutKind, PayoutStatus } from '../../domain/payout.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';

interface PayoutFilters {
  readonly id?: string | undefined;
  readonly externalId?: string | undefined;
  readonly status?: PayoutStatus | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** Limits to the caller's payouts, or transfers, that match. */
export function payoutFilter(caller: Caller, kind: PayoutKind, filters: PayoutFilters) {
  const { id, externalId, status } = filters;
  return {
    ...ownedBy(caller),
    kind,
    ...createdWithin(filters),
    ...(id !== undefined && { id: id as PayoutId }),
    ...(externalId !== undefined && { externalId }),
    ...(status !== undefined && { status }),
  };
}

/** @throws ApiError NOT_FOUND, as {@link requireRow} does, and for the other kind. */
export function requirePayout(
  em: Em,
  caller: Caller,
  kind: PayoutKind,
  key: Pick<PayoutFilters, 'id' | 'externalId'>,
): Promise<Payout> {
  const what = kind === 'PAYOUT' ? 'Payout' : 'Transfer';
  return requireRow(em, PayoutEntity, payoutFilter(caller, kind, key), what);
}
