import { LockMode } from '@mikro-orm/core';
import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import type { PayoutId } from '../domain/ids.ts';

/** Loads and locks the payout until the caller's transaction ends. */
export function lockPayout(em: Em, id: PayoutId): Promise<Payout> {
  const held = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
  return em.findOneOrFail(PayoutEntity, { id }, held);
}
