import { resolveAttention } from '../../src/database/attention.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import type { Em } from '../../src/database/orm.ts';
import { writeReturned } from '../../src/events/write-returned.ts';
import type { ProviderDispute } from '../../src/providers/provider.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Ends a payment in suspense whose payer's bank took all of it back (MED). It was not accepted, and the provider refused to
 * return it, so a person was asked to: the money is with its payer now, and nobody has to. What took a part leaves it to
 * that person. May be repeated.
 * @returns whether the payment was in suspense.
 */
export async function endTakenFromSuspense(
  deps: ActivityDeps,
  em: Em,
  { id: chargeId, provider }: Charge,
  { status, providerPaymentId = null, amountCents = null }: ProviderDispute,
  now: Date,
): Promise<boolean> {
  if (status !== 'LOST' || providerPaymentId === null) return false;
  const held = { chargeId, provider, providerPaymentId, outcome: 'HELD' as const };
  const payment = await em.findOne(PaymentEntity, held, { disableIdentityMap: true });
  if (payment === null || (amountCents ?? payment.amountCents) < payment.amountCents) return false;
  const deliveries = await em.transactional(async (tx) => {
    await resolveAttention(tx, { kind: 'RETURN_REFUSED', subjectId: payment.id, now });
    return writeReturned(tx, payment.id, 'HELD', now);
  });
  for (const delivery of deliveries) await deps.startDelivery(delivery);
  return true;
}
