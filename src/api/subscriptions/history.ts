import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { type Cycle, CycleEntity } from '../../database/entities/cycle.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../../database/entities/plan-update.ts';
import { ProductEntity } from '../../database/entities/product.ts';
import { type UsageRecord, UsageRecordEntity } from '../../database/entities/usage-record.ts';
import type { Em } from '../../database/orm.ts';
import type { SubscriptionId } from '../../domain/ids.ts';

/** What happened in a subscription, the newest first in each part. */
export interface SubscriptionHistory {
  readonly cycles: readonly { readonly cycle: Cycle; readonly attempts: readonly Charge[] }[];
  readonly planChanges: readonly PlanUpdate[];
  readonly usage: readonly { readonly record: UsageRecord; readonly productName: string | null }[];
}

const MOST_CYCLES = 12;
const MOST_ATTEMPTS = 60;
const MOST_OTHERS = 20;

/** The newest cycles that charged something or could have, with their attempts, changes of plan and usage. @param id of a subscription of the caller. */
export async function subscriptionHistory(em: Em, id: SubscriptionId): Promise<SubscriptionHistory> {
  const ofIt = { subscriptionId: id };
  const uncached = { disableIdentityMap: true } as const;
  const [cycles, planChanges, usage] = await Promise.all([
    em.find(
      CycleEntity,
      { ...ofIt, $or: [{ isUsage: false }, { usageCents: { $gt: 0 } }] },
      { ...uncached, orderBy: { number: 'desc' }, limit: MOST_CYCLES },
    ),
    em.find(PlanUpdateEntity, ofIt, { ...uncached, orderBy: { requestedAt: 'desc' }, limit: MOST_OTHERS }),
    em.find(UsageRecordEntity, ofIt, {
      ...uncached,
      orderBy: { cycleNumber: 'desc', recordedAt: 'desc' },
      limit: MOST_OTHERS,
    }),
  ]);
  const [attempts, names] = await Promise.all([attemptsAt(em, cycles), productNames(em, usage)]);
  return {
    cycles: cycles.map((cycle) => ({
      cycle,
      attempts: attempts.filter(
        ({ cycleId, id: chargeId }) => cycleId === cycle.id || chargeId === cycle.paidByChargeId,
      ),
    })),
    planChanges,
    usage: usage.map((record) => ({ record, productName: names.get(record.productId) ?? null })),
  };
}

/** Attempts at these cycles. The first payment belongs to the checkout, so it is found as the one that paid. */
function attemptsAt(em: Em, cycles: readonly Cycle[]): Promise<Charge[]> {
  const paidBy = cycles.flatMap(({ paidByChargeId }) => paidByChargeId ?? []);
  const where = { $or: [{ cycleId: { $in: cycles.map(({ id }) => id) } }, { id: { $in: paidBy } }] };
  return em.find(ChargeEntity, where, {
    disableIdentityMap: true,
    orderBy: { createdAt: 'desc', id: 'desc' },
    limit: MOST_ATTEMPTS,
  });
}

async function productNames(em: Em, usage: readonly UsageRecord[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(usage.map(({ productId }) => productId))];
  if (ids.length === 0) return new Map();
  const products = await em.find(ProductEntity, { id: { $in: ids } }, { disableIdentityMap: true });
  return new Map(products.map(({ id, name }) => [id, name]));
}
