import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { PayoutId } from '../domain/ids.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

const NONE = { count: 0, cents: 0 };

const WAITING = statement<StoreEnvironment, typeof NONE>(
  'count payouts that wait for an approval',
  () => `
  select count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as cents from payouts
  where store_id = :storeId and dev_mode = :devMode and approval = 'WAITING'`,
);

/** How many payouts and transfers wait for an approval, and their sum. */
export async function waitingPayoutsSum(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
): Promise<typeof NONE> {
  const [{ count, cents } = NONE] = await WAITING(em, { storeId, devMode });
  return { count, cents: Number(cents) };
}

/** Payouts and transfers that wait for approval, by due date. */
export function waitingPayouts(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  limit: number,
): Promise<Payout[]> {
  const where = { storeId, devMode, approval: 'WAITING' as const };
  const first = { orderBy: { approvalDueAt: 'asc', id: 'asc' }, limit } as const;
  return em.find(PayoutEntity, where, { ...first, disableIdentityMap: true }) as Promise<Payout[]>;
}

/** A payout or transfer that waits or waited for approval. @returns null if the id is unknown or needed no approval. */
export async function payoutWithApproval(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  id: string,
): Promise<Payout | null> {
  const where = { id: id as PayoutId, storeId, devMode, approval: { $ne: null } };
  return (await em.findOne(PayoutEntity, where, { disableIdentityMap: true })) as Payout | null;
}
