import type { ChargeStatus } from '../domain/charge.ts';
import { acceptOrReturn } from './acceptance/accept-or-return.ts';
import { followDispute } from './disputes/record-dispute.ts';
import type { ChargeDeps } from './effects.ts';
import type { Loaded } from './load-charge.ts';
import { lookUpAgainOrAskAPerson, type NamedPayment } from './look-up-again.ts';
import { followInstallmentDays } from './receivables/move-days.ts';
import { followBankRefunds } from './refunds/bank-refund.ts';

/**
 * Records a payment that a provider notified. The first payment of an open charge is accepted; any other is returned
 * in full (contract section 4). Later notifications of it may move the days of its installments. A payment that the provider does not find is looked up again: "not found" is never
 * final. Disputes and refunds that the provider lists with the payment are recorded too, as their notifications may
 * be lost.
 * @returns the charge's status afterwards.
 */
export async function recordPayment(
  deps: ChargeDeps,
  { em, charge, provider }: Loaded,
  named: NamedPayment,
  now: Date,
): Promise<ChargeStatus> {
  const payment = await provider.charges.findPayment(named.providerPaymentId);
  if (payment === null || payment.reference !== charge.providerReference) {
    const found = payment === null ? 'not found at the provider yet' : 'belongs to another charge there';
    deps.log.warn({ chargeId: charge.id }, `notified payment ${found}`);
    await lookUpAgainOrAskAPerson(deps, charge, named, now);
    return charge.status;
  }
  let status = await acceptOrReturn(deps, em, charge, provider, payment, now);
  await followInstallmentDays(deps, em, charge, payment, now);
  const findPayment = async () => payment;
  for (const dispute of payment.disputes ?? [])
    status = await followDispute(deps, em, charge, dispute, findPayment, now);
  if ((payment.refunds ?? []).length > 0) status = await followBankRefunds(deps, em, charge, payment, now);
  return status;
}
