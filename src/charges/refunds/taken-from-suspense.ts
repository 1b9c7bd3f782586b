import { resolveAttention } from '../../database/attention.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import type { Em } from '../../database/orm.ts';
import { writeReturned } from '../../events/write-returned.ts';
import { settlePart } from '../../ledger/suspense.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { leftAtProviderCents } from '../acceptance/left-at-provider.ts';
import type { ChargeDeps } from '../effects.ts';

/**
 * Removes from suspense what the provider has returned of a HELD payment. The payer's bank took it back (MED), a
 * person returned it at the bank, or both did in parts. A payment with nothing left has ended, and nobody has to
 * return it any more. A remaining part waits for the person who was asked, since only that person knows whether it
 * was returned elsewhere. May be repeated.
 *
 * @param payment as the provider shows it now.
 * @returns whether the payment was HELD and has ended.
 */
export async function bookTakenFromSuspense(
  deps: ChargeDeps,
  em: Em,
  { id: chargeId, provider }: Charge,
  payment: ProviderPayment,
  now: Date,
): Promise<boolean> {
  const { providerPaymentId } = payment;
  const leftCents = leftAtProviderCents(payment);
  if (leftCents >= payment.amountCents) return false;
  const found = { chargeId, provider, providerPaymentId, outcome: 'HELD' as const };
  const held = await em.findOne(PaymentEntity, found, { disableIdentityMap: true });
  if (held === null) return false;
  if (leftCents > 0) {
    await settlePart(em, held.id, held.amountCents - leftCents, now);
    return false;
  }
  const deliveries = await em.transactional(async (tx) => {
    await resolveAttention(tx, { kind: 'RETURN_REFUSED', subjectId: held.id, now });
    return writeReturned(tx, held.id, 'HELD', now);
  });
  for (const delivery of deliveries) await deps.startDelivery(delivery);
  return true;
}
