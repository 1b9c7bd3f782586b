import { type Mandate, MandateEntity } from '../../database/entities/mandate.ts';
import type { Em } from '../../database/orm.ts';
import type { CheckoutId } from '../../domain/ids.ts';

/** The newest authorization of a checkout's subscription that waits for its payer, on a page of its own; null without one. */
export async function findWaitingConsent(em: Em, checkoutId: CheckoutId): Promise<Mandate | null> {
  return em.findOne(
    MandateEntity,
    { checkoutId, status: 'PENDING', consentCode: { $ne: null }, endRequestedAt: null },
    { disableIdentityMap: true, orderBy: { createdAt: 'desc', id: 'desc' } },
  );
}
