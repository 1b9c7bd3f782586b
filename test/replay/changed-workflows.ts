import { sleep } from '@temporalio/workflow';
import type { Announced } from '../../src/domain/announcement.ts';
import type { AuditReport } from '../../src/domain/audit.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { CheckoutStatus } from '../../src/domain/checkout.ts';
import type { DebitStatus } from '../../src/domain/debit.ts';
import type { PayoutStatus } from '../../src/domain/payout.ts';
import type { ListedPayments } from '../../src/domain/reconciliation.ts';
import type { ResendStatus } from '../../src/domain/resend.ts';
import type { DeletedRows } from '../../src/domain/retention.ts';
import type { ClockProgress } from '../../src/domain/store-clock.ts';
import type { SubscriptionStatus } from '../../src/domain/subscription.ts';
import { announcer as unchangedAnnouncer } from '../../workflows/announcer.ts';
import { auditor as unchangedAuditor } from '../../workflows/auditor.ts';
import type { ChargeInput } from '../../workflows/charge.contract.ts';
import { charge as unchangedCharge } from '../../workflows/charge.ts';
import type { CheckoutInput } from '../../workflows/checkout.contract.ts';
import { checkout as unchangedCheckout } from '../../workflows/checkout.ts';
import type { DebitInput } from '../../workflows/debit.contract.ts';
import { debit as unchangedDebit } from '../../workflows/debit.ts';
import { checkoutEndings, openDeliveries } from '../../workflows/lib/activity-options.ts';
import type { PayoutInput } from '../../workflows/payout.contract.ts';
import { payout as unchangedPayout } from '../../workflows/payout.ts';
import { reconciliation as unchangedReconciliation } from '../../workflows/reconciliation.ts';
import { retention as unchangedRetention } from '../../workflows/retention.ts';
import type { SettlementInput } from '../../workflows/settlement.contract.ts';
import { settlement as unchangedSettlement } from '../../workflows/settlement.ts';
import type { StoreClockInput } from '../../workflows/store-clock.contract.ts';
import { storeClock as unchangedStoreClock } from '../../workflows/store-clock.ts';
import type { SubscriptionInput } from '../../workflows/subscription.contract.ts';
import { subscription as unchangedSubscription } from '../../workflows/subscription.ts';
import type { WebhookDeliveryInput } from '../../workflows/webhook-delivery.contract.ts';
import type { WebhookResendInput } from '../../workflows/webhook-resend.contract.ts';
import { webhookResend as unchangedWebhookResend } from '../../workflows/webhook-resend.ts';

// The service's workflows as a careless change would leave them; only the replay tests run them.

/**
 * Starts with two timers. One would be mistaken for a recorded one, as replay does not compare how long
 * timers are.
 */
export async function charge(input: ChargeInput): Promise<ChargeStatus> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedCharge(input);
}

/** Starts with two timers, as above. */
export async function announcer(): Promise<Announced> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedAnnouncer();
}

/** Starts with two timers, as above. */
export async function auditor(): Promise<AuditReport> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedAuditor();
}

/** Closes open charges before anything else. */
export async function checkout(input: CheckoutInput): Promise<CheckoutStatus> {
  await checkoutEndings.closeCharges(input);
  return unchangedCheckout(input);
}

/** Starts with two timers, as above. */
export async function payout(input: PayoutInput): Promise<PayoutStatus> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedPayout(input);
}

/** Starts with two timers, as above. */
export async function debit(input: DebitInput): Promise<DebitStatus> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedDebit(input);
}

/** Starts with two timers, as above. */
export async function storeClock(input: StoreClockInput): Promise<ClockProgress> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedStoreClock(input);
}

/** Starts with two timers, as above. */
export async function reconciliation(): Promise<ListedPayments> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedReconciliation();
}

/** Starts with two timers, as above. */
export async function retention(): Promise<DeletedRows> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedRetention();
}

/** Starts with three timers: some runs have two. */
export async function settlement(input: SettlementInput): Promise<number> {
  await Promise.all([sleep('1 second'), sleep('2 seconds'), sleep('3 seconds')]);
  return unchangedSettlement(input);
}

/** Starts with two timers, as above. */
export async function subscription(input: SubscriptionInput): Promise<SubscriptionStatus> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedSubscription(input);
}

/** Starts with two timers, as above. */
export async function webhookResend(input: WebhookResendInput): Promise<ResendStatus> {
  await Promise.all([sleep('1 second'), sleep('2 seconds')]);
  return unchangedWebhookResend(input);
}

/** Skips the fast queue, although every recorded history tries it first. */
export async function webhookDelivery({ deliveryId, resend }: WebhookDeliveryInput): Promise<unknown> {
  const attempt = { deliveryId, resend, attemptKey: 'changed', retryDelayMs: null, nowMs: Date.now() };
  return openDeliveries.attemptDelivery(attempt);
}
