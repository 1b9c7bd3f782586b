import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { type Mandate, MandateEntity } from '../../database/entities/mandate.ts';
import { PlanUpdateEntity } from '../../database/entities/plan-update.ts';
import { type Store, StoreEntity } from '../../database/entities/store.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { ID_PREFIX, type MandateId } from '../../domain/ids.ts';
import { planText } from '../../domain/subscribed-plan.ts';

const FRESH = { disableIdentityMap: true } as const;

/** What the page of an authorization shows. Nothing of the payer: anyone who has the address reads it. */
export interface LoadedConsent {
  readonly mandate: Mandate;
  readonly store: Store;
  /** The plan that is debited, or will be from the next cycle on. */
  readonly planText: string;
}

/** A prefix and a ULID. Anything else, NUL included, never reaches Postgres. */
const MANDATE_ID = new RegExp(`^${ID_PREFIX.mandate}[0-9A-Z]{26}$`);

/** @returns null for an unknown id, and for a mandate that was asked for with a payment: that one has no page. */
export async function findConsent(em: Em, id: string): Promise<Mandate | null> {
  if (!MANDATE_ID.test(id)) return null;
  return em.findOne(MandateEntity, { id: id as MandateId, consentCode: { $ne: null } }, FRESH);
}

export async function loadConsent(em: Em, id: string): Promise<LoadedConsent | null> {
  const mandate = await findConsent(em, id);
  if (mandate === null) return null;
  const { subscriptionId } = await em.findOneOrFail(CheckoutEntity, { id: mandate.checkoutId }, FRESH);
  if (subscriptionId === null) return null;
  const waiting = { subscriptionId, status: 'PENDING' as const };
  const [store, subscription, update] = await Promise.all([
    em.findOneOrFail(StoreEntity, { id: mandate.storeId }, FRESH),
    em.findOneOrFail(SubscriptionEntity, { id: subscriptionId }, FRESH),
    em.findOne(PlanUpdateEntity, waiting, FRESH),
  ]);
  return { mandate, store, planText: planText((update ?? subscription).plan) };
}
