import type { Em } from '../../database/orm.ts';
import { returnOrderIdOf } from '../../ids.ts';
import { noteMoneyOrder, withdrawMoneyOrder } from '../../ledger/note-money-order.ts';
import type { Returning } from '../../ledger/suspense.ts';
import type { RefundAnswer } from '../../providers/ports/charges.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import { leftAtProviderCents } from './left-at-provider.ts';

/** A return takes seconds, no matter who ordered it. */
const ASK_AGAIN_MS = 5_000;
/** A look-up may show a payment without a return that the bank already counts. After this long, a refusal stands. */
const LOOK_UPS_LAG_MS = 2 * 60_000;

/**
 * Orders the return of the part of an unaccepted payment that the provider still holds. The payer's bank (MED) and
 * people at the bank can take parts too. While one of their returns is under way, nothing is ordered, since its end
 * decides how much is left. A bank accepts the id of an order once, so each amount has its own id. Banks never
 * return more than a payment, so two orders cannot both succeed.
 *
 * @returns RETURNED once all of the payment is back, no matter who returned it.
 */
export async function orderReturn(
  em: Em,
  provider: PaymentProvider,
  payment: ProviderPayment,
  returning: Returning,
  now: Date,
): Promise<RefundAnswer> {
  const leftCents = leftAtProviderCents(payment);
  if (leftCents === 0) return { outcome: 'RETURNED' };
  const refundReference = returnOrderIdOf(returning.id, payment, leftCents);
  if (isAnotherUnderWay(payment, refundReference)) return { outcome: 'PENDING', pollAfterMs: ASK_AGAIN_MS };
  const { providerPaymentId } = payment;
  const answer = await provider.charges.refund({
    refundReference,
    providerPaymentId,
    amountCents: leftCents,
    mayHaveBeenOrdered: await noteMoneyOrder(em, { subjectId: refundReference, now }),
  });
  if (answer.outcome !== 'REFUSED') return answer;
  const seen = (await provider.charges.findPayment(providerPaymentId)) ?? payment;
  const elapsedMs = answer.isImpossible ? LOOK_UPS_LAG_MS : now.getTime() - returning.createdAt.getTime();
  if (isFinal(seen, refundReference, leftCents, elapsedMs)) return answer;
  await withdrawMoneyOrder(em, refundReference);
  return { outcome: 'PENDING', pollAfterMs: ASK_AGAIN_MS };
}

function isAnotherUnderWay({ refunds = [] }: ProviderPayment, refundReference: string): boolean {
  return refunds.some(({ reference, status }) => status === 'PENDING' && reference !== refundReference);
}

/** Whether the bank refuses for no other reason than that it will not return the payment. */
function isFinal(
  seen: ProviderPayment,
  refundReference: string,
  orderedCents: number,
  elapsedMs: number,
): boolean {
  if (seen.refunds === undefined) return true;
  if (leftAtProviderCents(seen) !== orderedCents || isAnotherUnderWay(seen, refundReference)) return false;
  const hasFailed = seen.refunds.some(
    ({ reference, status }) => status === 'REFUSED' && reference === refundReference,
  );
  return hasFailed || elapsedMs >= LOOK_UPS_LAG_MS;
}
