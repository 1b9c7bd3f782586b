import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { CycleEntity } from '../../database/entities/cycle.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { wasPaid } from '../../domain/charge.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { leastAcceptedCents } from '../../domain/fine-and-interest.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { ReturnReason } from '../../domain/return-reason.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { METHODS } from '../methods/index.ts';
import { isReturnedToPayer } from './left-at-provider.ts';

type Standing = 'PAID' | 'CANCELLED' | 'OPEN';

/**
 * Why a payment was not accepted. Reads the charge again: another payment may have been faster since the caller
 * read it.
 */
export async function returnReasonOf(
  em: Em,
  chargeId: ChargeId,
  payment: ProviderPayment,
): Promise<ReturnReason> {
  if (isReturnedToPayer(payment)) return 'RETURNED_AT_BANK';
  const charge = await em.findOneOrFail(ChargeEntity, { id: chargeId }, { disableIdentityMap: true });
  const standings = [standingOf(charge), await standingOfPurpose(em, charge)];
  if (standings.includes('PAID')) return 'ALREADY_PAID';
  if (standings.includes('CANCELLED')) return 'CANCELLED';
  if (METHODS[charge.method].decidedBy !== 'ISSUER' && payment.paidAt >= charge.closesAt) return 'PAID_LATE';
  if (payment.amountCents < leastAcceptedCents(charge, saoPauloDateOf(payment.paidAt)))
    return 'AMOUNT_TOO_LOW';
  return 'NOT_PAYABLE';
}

function standingOf({ status, failureReason }: Charge): Standing {
  if (wasPaid(status)) return 'PAID';
  return status === 'CANCELLED' || failureReason === 'payment_cancelled' ? 'CANCELLED' : 'OPEN';
}

/** The status of the checkout or cycle that the charge would pay. */
async function standingOfPurpose(em: Em, charge: Charge): Promise<Standing> {
  if (charge.cycleId !== null) return standingOfCycle(em, charge.cycleId);
  if (charge.checkoutId === null) return 'OPEN';
  if (charge.upsellOf !== null) return standingOfUpsell(em, charge);
  const found = { id: charge.checkoutId };
  const checkout = await em.findOneOrFail(CheckoutEntity, found, { disableIdentityMap: true });
  if (checkout.paidByChargeId !== null) return 'PAID';
  return checkout.status === 'CANCELLED' ? 'CANCELLED' : 'OPEN';
}

async function standingOfCycle(em: Em, cycleId: NonNullable<Charge['cycleId']>): Promise<Standing> {
  const cycle = await em.findOneOrFail(CycleEntity, { id: cycleId }, { disableIdentityMap: true });
  if (cycle.status === 'PAID') return 'PAID';
  const found = { id: cycle.subscriptionId };
  const { status } = await em.findOneOrFail(SubscriptionEntity, found, { disableIdentityMap: true });
  return status === 'CANCELLED' ? 'CANCELLED' : 'OPEN';
}

async function standingOfUpsell(em: Em, { upsellOf, id }: Charge): Promise<Standing> {
  const others = await em.find(ChargeEntity, { upsellOf, id: { $ne: id } }, { disableIdentityMap: true });
  return others.some(({ status }) => wasPaid(status)) ? 'PAID' : 'OPEN';
}
