import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { beginJourney } from '../../src/database/store-clock.ts';
import { nextBusinessDay } from '../../src/domain/business-days.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import { forgottenStarts } from '../../src/temporal/forgotten-starts.ts';
import { SettlementStarts } from '../../src/temporal/settlement.ts';
import { startUnlessRunning } from '../../src/temporal/workflow-start.ts';
import { ANNOUNCER_WORKFLOW, announcerScheduleId } from '../../workflows/announcer.contract.ts';
import { AUDITOR_WORKFLOW, auditorScheduleId } from '../../workflows/auditor.contract.ts';
import { chargeWorkflowId } from '../../workflows/charge.contract.ts';
import {
  RECONCILIATION_WORKFLOW,
  reconciliationScheduleId,
} from '../../workflows/reconciliation.contract.ts';
import { RETENTION_WORKFLOW, retentionScheduleId } from '../../workflows/retention.contract.ts';
import { settlementWorkflowId } from '../../workflows/settlement.contract.ts';
import { STORE_CLOCK_WORKFLOW, storeClockWorkflowId } from '../../workflows/store-clock.contract.ts';
import { subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { askForPayout } from '../support/api/store-request.ts';
import { cancel, mustPay, notify, payUnnoticed } from '../support/lives/charge-life.ts';
import {
  beginPayment,
  cancelCheckout,
  chargeWorkflowOf,
  checkoutWorkflowOf,
  openCheckout,
  openLink,
  sleepingCheckout,
  startCheckoutAsleep,
} from '../support/lives/checkout-life.ts';
import { howItEnded } from '../support/lives/how-it-ended.ts';
import { dispute, paidPix, refund, startPayout } from '../support/lives/money-life.ts';
import {
  cancelSubscription,
  changePlan,
  DAY_MS,
  insertSubscription,
  newestCharge,
  nextCycle,
  sleepUntil,
  startSubscription,
  subscribe,
  subscriptionOf,
  workflowOf,
} from '../support/lives/subscription-life.ts';
import type { WorkflowWorld } from '../support/lives/workflow-world.ts';
import type { WebhookSink } from '../support/outside/webhook-sink.ts';
import { withNewStore } from '../support/rows/books.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { insertBoleto, insertPix, startAsleep } from '../support/rows/charges.ts';
import { insertCoupon } from '../support/rows/checkout-rows.ts';
import { deliveryOf, failedRange, resend, send, startResend } from '../support/rows/deliveries.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** A path through a workflow, walked once so that its history can be kept. */
export interface Scenario {
  /** Names the history's file, so it begins with the workflow's type. */
  readonly name: string;
  /** The real server writes what production writes; what takes days there needs the one that skips time. */
  readonly server: 'real' | 'time-skipping';
  /** @returns the run whose history is kept, once it has ended. */
  readonly walk: (world: WorkflowWorld, sink: WebhookSink) => Promise<WorkflowHandle>;
}

/** The shortest life that a charge can have. */
const SHORT = { expiresInS: 1 };

const BY_CARD = { method: 'CARD' } as const;

/**
 * Every path that is kept. Add one wherever a workflow gets a new path; never change one whose history is
 * kept.
 */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'charge-paid-while-asleep', server: 'real', walk: chargePaidWhileAsleep },
  { name: 'charge-paid-before-it-was-started', server: 'real', walk: chargePaidBeforeItWasStarted },
  { name: 'charge-expired-unpaid', server: 'real', walk: chargeExpiredUnpaid },
  { name: 'charge-expired-after-too-little', server: 'real', walk: chargeExpiredAfterTooLittle },
  { name: 'charge-cancelled', server: 'real', walk: chargeCancelled },
  { name: 'charge-payment-returned-after-expiry', server: 'real', walk: chargePaymentReturnedAfterExpiry },
  { name: 'charge-paid-in-time-told-late', server: 'real', walk: chargeToldLate },
  { name: 'charge-payment-known-later', server: 'real', walk: chargePaymentKnownLater },
  { name: 'charge-continued-as-new', server: 'real', walk: chargeContinuedAsNew },
  { name: 'charge-boleto-paid-late', server: 'time-skipping', walk: chargeBoletoPaidLate },
  { name: 'charge-boleto-expired-after-window', server: 'time-skipping', walk: chargeBoletoExpired },
  { name: 'charge-card-approved', server: 'real', walk: chargeCardApproved },
  { name: 'charge-card-approved-at-last', server: 'real', walk: chargeCardApprovedAtLast },
  { name: 'charge-card-declined', server: 'real', walk: chargeCardDeclined },
  { name: 'charge-card-given-up', server: 'real', walk: chargeCardGivenUp },
  // Since runs fail with what they stand for.
  { name: 'charge-fails-declined', server: 'real', walk: chargeCardDeclined },
  { name: 'charge-fails-given-up', server: 'real', walk: chargeCardGivenUp },
  { name: 'charge-free', server: 'real', walk: chargeFree },
  { name: 'charge-refunded', server: 'real', walk: chargeRefunded },
  { name: 'charge-refund-refused', server: 'real', walk: chargeRefundRefused },
  { name: 'charge-refunded-at-last', server: 'real', walk: chargeRefundedAtLast },
  { name: 'charge-refund-unfinished', server: 'real', walk: chargeRefundUnfinished },
  { name: 'charge-disputed', server: 'real', walk: chargeDisputed },
  { name: 'charge-dispute-won', server: 'real', walk: chargeDisputeWon },
  { name: 'charge-dispute-lost', server: 'real', walk: chargeDisputeLost },
  { name: 'checkout-paid', server: 'real', walk: checkoutPaid },
  { name: 'checkout-paid-with-others-open', server: 'real', walk: checkoutPaidWithOthersOpen },
  { name: 'checkout-expired', server: 'real', walk: checkoutExpired },
  { name: 'checkout-cancelled', server: 'real', walk: checkoutCancelled },
  { name: 'checkout-cancelled-too-late', server: 'real', walk: checkoutCancelledTooLate },
  { name: 'checkout-link-cancelled', server: 'real', walk: checkoutLinkCancelled },
  { name: 'checkout-expired-after-boleto', server: 'time-skipping', walk: checkoutExpiredAfterBoleto },
  { name: 'checkout-paid-by-late-boleto', server: 'time-skipping', walk: checkoutPaidByLateBoleto },
  { name: 'checkout-paid-in-time-told-late', server: 'real', walk: checkoutToldLate },
  { name: 'payout-complete', server: 'real', walk: payoutComplete },
  { name: 'payout-failed', server: 'real', walk: payoutFailed },
  { name: 'payout-slow', server: 'real', walk: payoutSlow },
  { name: 'settlement-of-boleto', server: 'time-skipping', walk: settlementOfBoleto },
  { name: 'settlement-of-card', server: 'time-skipping', walk: settlementOfCard },
  { name: 'settlement-of-late-payment', server: 'real', walk: settlementOfLatePayment },
  { name: 'settlement-of-later-payment', server: 'real', walk: settlementOfLaterPayment },
  { name: 'subscription-renewed', server: 'time-skipping', walk: subscriptionRenewed },
  { name: 'subscription-trial', server: 'time-skipping', walk: subscriptionTrial },
  { name: 'subscription-dunning-recovered', server: 'time-skipping', walk: subscriptionRecovered },
  { name: 'subscription-dunning-cancelled', server: 'time-skipping', walk: subscriptionGivenUp },
  { name: 'subscription-plan-changed', server: 'time-skipping', walk: subscriptionPlanChanged },
  { name: 'subscription-cancelled-asleep', server: 'real', walk: subscriptionCancelledAsleep },
  { name: 'subscription-cancelled-while-retrying', server: 'real', walk: subscriptionCancelledWhileRetrying },
  { name: 'subscription-cancelled-while-waiting', server: 'real', walk: subscriptionCancelledWhileWaiting },
  { name: 'subscription-pix-renewed', server: 'real', walk: subscriptionPixRenewed },
  { name: 'subscription-pix-paid-early', server: 'real', walk: subscriptionPixPaidEarly },
  { name: 'subscription-continued-as-new', server: 'real', walk: subscriptionContinuedAsNew },
  // Those above that renew were recorded when charges were child workflows; these walk the same paths since
  // charges tell their end.
  { name: 'subscription-told-renewed', server: 'time-skipping', walk: subscriptionRenewed },
  { name: 'subscription-told-trial', server: 'time-skipping', walk: subscriptionTrial },
  { name: 'subscription-told-dunning-recovered', server: 'time-skipping', walk: subscriptionRecovered },
  { name: 'subscription-told-dunning-cancelled', server: 'time-skipping', walk: subscriptionGivenUp },
  { name: 'subscription-told-plan-changed', server: 'time-skipping', walk: subscriptionPlanChanged },
  { name: 'subscription-told-cancelled-asleep', server: 'real', walk: subscriptionCancelledAsleep },
  { name: 'subscription-told-cancelled-retrying', server: 'real', walk: subscriptionCancelledWhileRetrying },
  { name: 'subscription-told-cancelled-waiting', server: 'real', walk: subscriptionCancelledWhileWaiting },
  { name: 'subscription-told-pix-renewed', server: 'real', walk: subscriptionPixRenewed },
  { name: 'subscription-told-pix-paid-early', server: 'real', walk: subscriptionPixPaidEarly },
  { name: 'subscription-told-continued-as-new', server: 'real', walk: subscriptionContinuedAsNew },
  { name: 'subscription-told-by-nobody', server: 'time-skipping', walk: subscriptionToldByNobody },
  { name: 'subscription-paid-in-time-told-late', server: 'time-skipping', walk: subscriptionToldLate },
  { name: 'webhookDelivery-delivered-open-lane', server: 'real', walk: deliveredInTheOpenLane },
  { name: 'webhookDelivery-delivered-fast-lane', server: 'real', walk: deliveredInTheFastLane },
  { name: 'webhookDelivery-failed-410', server: 'real', walk: failedAsGone },
  { name: 'webhookDelivery-resent-after-delivery', server: 'real', walk: resentAfterDelivery },
  { name: 'webhookDelivery-resent-while-waiting', server: 'real', walk: resentWhileWaiting },
  { name: 'webhookDelivery-delivered-after-retries', server: 'time-skipping', walk: deliveredAfterRetries },
  { name: 'webhookDelivery-exhausted', server: 'time-skipping', walk: exhausted },
  // Since runs fail where they are given up, and say DELIVERED by being completed.
  { name: 'webhookDelivery-taken', server: 'real', walk: deliveredInTheFastLane },
  { name: 'webhookDelivery-fails-410', server: 'real', walk: failedAsGone },
  { name: 'webhookDelivery-fails-exhausted', server: 'time-skipping', walk: exhausted },
  { name: 'webhookDelivery-gone-on-with', server: 'time-skipping', walk: goneOnWith },
  { name: 'retention-of-nothing-old', server: 'real', walk: retentionOfNothingOld },
  { name: 'reconciliation-of-no-account', server: 'real', walk: reconciliationOfNoAccount },
  { name: 'storeClock-past-a-deadline', server: 'real', walk: storeClockPastADeadline },
  { name: 'announcer-of-a-trial', server: 'real', walk: announcementOfATrial },
  { name: 'webhookResend-of-a-range', server: 'time-skipping', walk: rangeResent },
  { name: 'webhookResend-stopped', server: 'real', walk: rangeStopped },
  { name: 'auditor-of-something-overdue', server: 'real', walk: auditOfSomethingOverdue },
];

async function chargePaidWhileAsleep(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await insertPix(world);
  const workflow = await startAsleep(world, charge);
  await notify(world, await mustPay(world, charge));
  return ended(workflow);
}

async function chargePaidBeforeItWasStarted(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await insertPix(world);
  await notify(world, await mustPay(world, charge));
  return ended(world.client.workflow.getHandle(chargeWorkflowId(charge.id)));
}

async function chargeExpiredUnpaid(world: WorkflowWorld): Promise<WorkflowHandle> {
  return ended(await startAsleep(world, await insertPix(world, SHORT)));
}

async function chargeExpiredAfterTooLittle(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await insertPix(world, { expiresInS: 3 });
  const workflow = await startAsleep(world, charge);
  await notify(world, await mustPay(world, charge, { amountCents: 1 }));
  return ended(workflow);
}

async function chargeCancelled(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await insertPix(world);
  const workflow = await startAsleep(world, charge);
  await cancel(world, charge);
  return ended(workflow);
}

async function chargePaymentReturnedAfterExpiry(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await insertPix(world, SHORT);
  await (await startAsleep(world, charge)).result();
  const late = { reference: charge.providerReference, amountCents: 10_000, paidAt: await world.now() };
  await notify(world, world.provider.payDespiteClosing(late));
  return ended(world.client.workflow.getHandle(chargeWorkflowId(charge.id)));
}

/** The second run: the first one has expired. */
async function chargeToldLate(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await insertPix(world, SHORT);
  const payment = payUnnoticed(world, charge, 500);
  await ended(await startAsleep(world, charge));
  await notify(world, payment);
  return ended(chargeWorkflowOf(world, charge));
}

/** The bank notifies a payment twice before its look-up knows it. */
async function chargePaymentKnownLater(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await insertPix(world);
  const workflow = await startAsleep(world, charge);
  const payment = await mustPay(world, charge);
  world.provider.hideFromLookUps(payment);
  await notify(world, payment).catch(() => undefined);
  await notify(world, payment).catch(() => undefined);
  world.provider.hideFromLookUps(payment, false);
  return ended(workflow);
}

/** The run that is kept is the first one, which ends as the server suggests it. */
async function chargeContinuedAsNew(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await insertPix(world);
  const { workflowId, firstExecutionRunId } = await startAsleep(world, charge);
  const payment = await mustPay(world, charge);
  world.provider.hideFromLookUps(payment);
  const first = world.client.workflow.getHandle(workflowId, firstExecutionRunId);
  while ((await first.describe()).status.name === 'RUNNING')
    await notify(world, payment).catch(() => undefined);
  world.provider.hideFromLookUps(payment, false);
  await notify(world, payment).catch(() => undefined);
  await ended(world.client.workflow.getHandle(workflowId));
  return first;
}

async function boletoWithAdditions(world: WorkflowWorld) {
  const dueDate = nextBusinessDay(addDays(saoPauloDateOf(await world.now()), 3));
  const fine = { value: 200, type: 'PERCENTAGE' } as const;
  return insertBoleto(world, { dueDate, fine, interest: { value: 100 } });
}

async function chargeBoletoPaidLate(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await boletoWithAdditions(world);
  const workflow = await startAsleep(world, charge);
  const { dueDate } = charge;
  if (dueDate === null) throw new Error('a boleto has a due date');
  const lateMs = saoPauloMidnight(addDays(dueDate, 40)).getTime();
  await world.environment.sleep(lateMs - (await world.now()).getTime());
  await notify(world, await mustPay(world, charge, { amountCents: 10_333 }));
  return ended(workflow);
}

async function chargeBoletoExpired(world: WorkflowWorld): Promise<WorkflowHandle> {
  return ended(await startAsleep(world, await boletoWithAdditions(world)));
}

async function chargeCardApproved(world: WorkflowWorld): Promise<WorkflowHandle> {
  return ended(chargeWorkflowOf(world, await beginPayment(world, await openCheckout(world), BY_CARD)));
}

async function chargeCardApprovedAtLast(world: WorkflowWorld): Promise<WorkflowHandle> {
  world.provider.failNext('chargeCard', 2);
  return chargeCardApproved(world);
}

async function chargeCardDeclined(world: WorkflowWorld): Promise<WorkflowHandle> {
  world.provider.declineNext('insufficient_funds');
  return chargeCardApproved(world);
}

/** What makes an answer impossible differs, but not what the workflow does then. */
async function chargeCardGivenUp(world: WorkflowWorld): Promise<WorkflowHandle> {
  const noAnswer = ApplicationFailure.nonRetryable('no answer');
  // It would name this machine's folders in the history.
  noAnswer.stack = '';
  world.provider.afterNextAnswer('chargeCard', () => Promise.reject(noAnswer));
  return chargeCardApproved(world);
}

async function chargeFree(world: WorkflowWorld): Promise<WorkflowHandle> {
  const { code } = await insertCoupon(world, { discountValue: 10_000 });
  const checkout = await openCheckout(world, { coupons: [code] });
  return ended(chargeWorkflowOf(world, await beginPayment(world, checkout, { couponCode: code })));
}

async function chargeRefunded(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await endedPix(world);
  await refund(world, charge);
  return ended(chargeWorkflowOf(world, charge));
}

async function chargeRefundRefused(world: WorkflowWorld): Promise<WorkflowHandle> {
  world.provider.refuseReturns();
  const workflow = await chargeRefunded(world);
  world.provider.refuseReturns(false);
  return workflow;
}

async function chargeRefundedAtLast(world: WorkflowWorld): Promise<WorkflowHandle> {
  world.provider.failNext('refund', 2);
  return chargeRefunded(world);
}

async function chargeRefundUnfinished(world: WorkflowWorld): Promise<WorkflowHandle> {
  const later = { outcome: 'PENDING', pollAfterMs: 1_000 } as const;
  world.provider.answerRefunds(later, later);
  return chargeRefunded(world);
}

async function chargeDisputed(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await endedPix(world);
  await dispute(world, charge, 'OPEN');
  return ended(chargeWorkflowOf(world, charge));
}

async function chargeDisputeWon(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await endedPix(world);
  await dispute(world, charge, 'OPEN');
  await ended(chargeWorkflowOf(world, charge));
  await dispute(world, charge, 'WON');
  return ended(chargeWorkflowOf(world, charge));
}

async function chargeDisputeLost(world: WorkflowWorld): Promise<WorkflowHandle> {
  const charge = await endedPix(world);
  await dispute(world, charge, 'LOST');
  return ended(chargeWorkflowOf(world, charge));
}

/** A paid PIX charge whose first run has ended. */
async function endedPix(world: WorkflowWorld): Promise<Charge> {
  const charge = await paidPix(world);
  await ended(chargeWorkflowOf(world, charge));
  return charge;
}

async function payoutComplete(world: WorkflowWorld): Promise<WorkflowHandle> {
  const shop = await withNewStore(world);
  await paidPix(shop);
  return ended(await startPayout(shop, await askForPayout(shop, 5_000)));
}

async function payoutFailed(world: WorkflowWorld): Promise<WorkflowHandle> {
  world.provider.answerTransfers({ outcome: 'FAILED', reason: 'account_closed' });
  return payoutComplete(world);
}

async function payoutSlow(world: WorkflowWorld): Promise<WorkflowHandle> {
  world.provider.answerTransfers({ outcome: 'PENDING' }, { outcome: 'PENDING' });
  return payoutComplete(world);
}

async function settlementOfBoleto(world: WorkflowWorld): Promise<WorkflowHandle> {
  const dueDate = addDays(saoPauloDateOf(await world.now()), 60);
  const charge = await insertBoleto(world, { dueDate, interest: null, fine: null });
  await notify(world, await mustPay(world, charge));
  return settled(world, charge);
}

async function settlementOfCard(world: WorkflowWorld): Promise<WorkflowHandle> {
  const shop = await withNewStore(world);
  return settled(shop, await beginPayment(shop, await openCheckout(shop), BY_CARD));
}

async function settled(world: WorkflowWorld, { id }: Charge): Promise<WorkflowHandle> {
  const { settlesAt } = await world.database.em.fork().findOneOrFail(ChargeEntity, { id });
  if (settlesAt === null) throw new Error('a payment has a day on which it settles');
  return ended(settlementOf(world, settlesAt));
}

/** The day has begun already, so the run is started by a signal. */
async function settlementOfLatePayment(world: WorkflowWorld): Promise<WorkflowHandle> {
  return settledByStarts(world, [0]);
}

/** The second payment settles a moment after the first one, for which the run was started. */
async function settlementOfLaterPayment(world: WorkflowWorld): Promise<WorkflowHandle> {
  return settledByStarts(world, [1_000, 2_500]);
}

async function settledByStarts(world: WorkflowWorld, laterMs: readonly number[]): Promise<WorkflowHandle> {
  const shop = await withNewStore(world);
  const starts = new SettlementStarts(shop.client, shop.taskQueue);
  const nowMs = (await shop.now()).getTime();
  const owner = { storeId: shop.storeId, devMode: true };
  for (const ms of laterMs) await starts.start(owner, new Date(nowMs + ms), nowMs);
  return ended(settlementOf(shop, new Date(nowMs)));
}

function settlementOf({ client, storeId }: WorkflowWorld, settlesAt: Date): WorkflowHandle {
  return client.workflow.getHandle(settlementWorkflowId(storeId, true, saoPauloDateOf(settlesAt)));
}

async function checkoutPaid(world: WorkflowWorld): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(world);
  await beginPayment(world, checkout, BY_CARD);
  return ended(workflow);
}

async function checkoutPaidWithOthersOpen(world: WorkflowWorld): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(world);
  await beginPayment(world, checkout);
  await beginPayment(world, checkout, BY_CARD);
  return ended(workflow);
}

async function checkoutExpired(world: WorkflowWorld): Promise<WorkflowHandle> {
  return ended((await sleepingCheckout(world, { expiresInMs: 1_000 })).workflow);
}

async function checkoutCancelled(world: WorkflowWorld): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(world);
  await beginPayment(world, checkout);
  await cancelCheckout(world, checkout);
  return ended(workflow);
}

/** The cancellation finds a payment that nobody told of. */
async function checkoutCancelledTooLate(world: WorkflowWorld): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(world);
  await mustPay(world, await beginPayment(world, checkout));
  await cancelCheckout(world, checkout);
  return ended(workflow);
}

async function checkoutLinkCancelled(world: WorkflowWorld): Promise<WorkflowHandle> {
  const link = await openLink(world);
  const workflow = await startCheckoutAsleep(world, link);
  await beginPayment(world, link);
  await cancelCheckout(world, link);
  return ended(workflow);
}

async function checkoutWithLastMinuteBoleto(world: WorkflowWorld) {
  const { checkout, workflow } = await sleepingCheckout(world, { expiresInMs: 60_000 });
  return { workflow, charge: await beginPayment(world, checkout, { method: 'BOLETO' }) };
}

async function checkoutExpiredAfterBoleto(world: WorkflowWorld): Promise<WorkflowHandle> {
  return ended((await checkoutWithLastMinuteBoleto(world)).workflow);
}

async function checkoutPaidByLateBoleto(world: WorkflowWorld): Promise<WorkflowHandle> {
  const { workflow, charge } = await checkoutWithLastMinuteBoleto(world);
  await world.environment.sleep('1 day');
  await notify(world, await mustPay(world, charge));
  return ended(workflow);
}

/** The second run: the first one has expired. */
async function checkoutToldLate(world: WorkflowWorld): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(world, { expiresInMs: 1_000 });
  const charge = await beginPayment(world, checkout);
  const payment = payUnnoticed(world, charge, 500);
  await ended(workflow);
  await notify(world, payment);
  return ended(checkoutWorkflowOf(world, checkout));
}

/** One that is cancelled in its fourth cycle. */
async function subscriptionRenewed(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await subscribe(world);
  for (let cycle = 2; cycle <= 4; cycle += 1) await nextCycle(world, subscription);
  return cancelled(world, subscription);
}

async function subscriptionTrial(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await subscribe(world, { trialDays: 7 });
  await nextCycle(world, subscription);
  return cancelled(world, subscription);
}

async function subscriptionRecovered(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await subscribe(world, { maxRetry: 2 });
  world.provider.declineNext('insufficient_funds');
  await nextCycle(world, subscription);
  await world.environment.sleep('25 hours');
  await eventually(async () => {
    const { status } = await newestCharge(world, subscription);
    if (status !== 'PAID') throw new Error('not paid yet');
  });
  await nextCycle(world, subscription);
  return cancelled(world, subscription);
}

async function subscriptionGivenUp(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await subscribe(world, { maxRetry: 2 });
  for (let attempt = 1; attempt <= 2; attempt += 1) world.provider.declineNext('card_declined');
  return ended(workflowOf(world, subscription));
}

/** In time for the second cycle, and again in the third. */
async function subscriptionPlanChanged(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await subscribe(world);
  await changePlan(world, subscription, { priceCents: 8_000 });
  await nextCycle(world, subscription);
  await nextCycle(world, subscription);
  await changePlan(world, subscription, { cycle: 'WEEKLY' });
  await nextCycle(world, subscription);
  return cancelled(world, subscription);
}

async function subscriptionCancelledAsleep(world: WorkflowWorld): Promise<WorkflowHandle> {
  return cancelled(world, await subscribe(world));
}

async function subscriptionCancelledWhileRetrying(world: WorkflowWorld): Promise<WorkflowHandle> {
  world.provider.declineNext('insufficient_funds');
  const subscription = await dueNow(world, 1, 'CARD');
  await eventually(async () => {
    const { failedAttempts } = await subscriptionOf(world, { id: subscription.id });
    if (failedAttempts === 0) throw new Error('not failed yet');
  });
  return cancelled(world, subscription);
}

async function subscriptionCancelledWhileWaiting(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await dueNow(world, 1, 'PIX');
  await codeOf(world, subscription);
  return cancelled(world, subscription);
}

async function subscriptionPixRenewed(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await dueNow(world, 1, 'PIX');
  await notify(world, await mustPay(world, await codeOf(world, subscription)));
  return cancelled(world, subscription);
}

/** Paid before the subscription could start the charge's workflow. */
async function subscriptionPixPaidEarly(world: WorkflowWorld): Promise<WorkflowHandle> {
  const now = await world.now();
  const anchor = new Date(now.getTime() - 7 * DAY_MS);
  const subscription = await insertSubscription(world, anchor, { cycle: 'WEEKLY', methods: ['PIX'] });
  await world.activities.openCycle({ subscriptionId: subscription.id, number: 2, nowMs: now.getTime() });
  await notify(world, await mustPay(world, await newestCharge(world, subscription)));
  await startSubscription(world, subscription);
  await eventually(async () => {
    const { nextNumber } = await workflowOf(world, subscription).query(subscriptionStateQuery);
    if (nextNumber < 3) throw new Error('not renewed yet');
  });
  return cancelled(world, subscription);
}

/** The run that is kept is the first one, which ends as the server suggests it. */
async function subscriptionContinuedAsNew(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await dueNow(world, 20, 'CARD');
  const { workflowId } = workflowOf(world, subscription);
  const first = await world.client.workflow.getHandle(workflowId).describe();
  await eventually(async () => {
    const { cycleNumber } = await subscriptionOf(world, { id: subscription.id });
    if (cycleNumber < 21) throw new Error('still catching up');
  });
  await cancelled(world, subscription);
  return world.client.workflow.getHandle(workflowId, first.runId);
}

/** The first attempt's workflow is terminated, so that only its deadline says that it is over. */
async function subscriptionToldByNobody(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await subscribe(world, { methods: ['PIX'], maxRetry: 2 });
  const charge = await secondCycleCode(world, subscription);
  await chargeWorkflowOf(world, charge).terminate();
  await nextAttemptOf(world, subscription, charge);
  return cancelled(world, subscription);
}

/**
 * The first code of a cycle has run out, and the second waits to be paid, when the first turns out to be
 * paid.
 */
async function subscriptionToldLate(world: WorkflowWorld): Promise<WorkflowHandle> {
  const subscription = await subscribe(world, { methods: ['PIX'], maxRetry: 2 });
  const charge = await secondCycleCode(world, subscription);
  const payment = payUnnoticed(world, charge);
  await nextAttemptOf(world, subscription, charge);
  await notify(world, payment);
  await eventually(async () => {
    const { nextNumber } = await workflowOf(world, subscription).query(subscriptionStateQuery);
    if (nextNumber < 3) throw new Error('not renewed yet');
  });
  return cancelled(world, subscription);
}

/** The PIX code of the second cycle, on a server that skips time. */
async function secondCycleCode(world: WorkflowWorld, subscription: Subscription): Promise<Charge> {
  await sleepUntil(world, new Date(subscription.cycleEndsAt.getTime() + 60_000));
  return eventually(async () => {
    const charge = await newestCharge(world, subscription);
    if (charge.cycleId === null) throw new Error('the second cycle has not been opened');
    await chargeWorkflowOf(world, charge).describe();
    return charge;
  });
}

/** Lets the deadline of an attempt pass, and minutes more, until another one has begun. */
async function nextAttemptOf(world: WorkflowWorld, subscription: Subscription, charge: Charge) {
  await sleepUntil(world, new Date(charge.closesAt.getTime() + 10 * 60_000));
  await eventually(async () => {
    const newest = await newestCharge(world, subscription);
    if (newest.id === charge.id) throw new Error('not tried again yet');
    await chargeWorkflowOf(world, newest).describe();
  });
}

/** A weekly subscription that is so many cycles behind. */
async function dueNow(world: WorkflowWorld, cycles: number, method: 'CARD' | 'PIX'): Promise<Subscription> {
  const anchor = new Date((await world.now()).getTime() - cycles * 7 * DAY_MS);
  const subscription = await insertSubscription(world, anchor, { cycle: 'WEEKLY', methods: [method] });
  await startSubscription(world, subscription);
  return subscription;
}

/** The PIX code of the second cycle, once its workflow waits for the payer. */
function codeOf(world: WorkflowWorld, subscription: Subscription): Promise<Charge> {
  return eventually(async () => {
    const charge = await newestCharge(world, subscription);
    await chargeWorkflowOf(world, charge).describe();
    return charge;
  });
}

async function cancelled(world: WorkflowWorld, subscription: Subscription): Promise<WorkflowHandle> {
  await cancelSubscription(world, subscription);
  return ended(workflowOf(world, subscription));
}

async function deliveredInTheOpenLane(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  return ended((await send(world, sink.endpoint().url)).workflow());
}

async function deliveredInTheFastLane(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  const first = await send(world, sink.endpoint().url);
  await first.workflow().result();
  const second = await send(world, first.webhook.endpoint, first.webhook);
  return ended(second.workflow());
}

async function failedAsGone(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  return ended((await send(world, sink.endpoint(() => 410).url)).workflow());
}

async function resentAfterDelivery(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  const delivery = await send(world, sink.endpoint().url);
  await delivery.workflow().result();
  await resend(world, delivery);
  return ended(delivery.workflow());
}

async function resentWhileWaiting(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  const endpoint = sink.endpoint((attempt) => (attempt === 1 ? 500 : 200));
  const delivery = await send(world, endpoint.url);
  await endpoint.waitFor((received) => received.length === 1);
  await resend(world, delivery);
  return ended(delivery.workflow());
}

async function deliveredAfterRetries(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  const endpoint = sink.endpoint((attempt) => (attempt < 4 ? 500 : 200));
  return ended((await send(world, endpoint.url)).workflow());
}

async function rangeResent(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  return ended(await startResend(world, await failedRange(world, sink.endpoint().url, 25)));
}

async function rangeStopped(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  const endpoint = sink.endpoint();
  const workflow = await startResend(world, await failedRange(world, endpoint.url, 25));
  await endpoint.waitFor((received) => received.length > 0);
  await workflow.cancel();
  return ended(workflow);
}

async function exhausted(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  return ended((await send(world, sink.endpoint(() => 500).url)).workflow());
}

async function goneOnWith(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  const delivery = await send(world, sink.endpoint((attempt) => (attempt < 5 ? 500 : 200)).url);
  await world.environment.sleep('90 seconds');
  await eventually(async () => {
    if ((await deliveryOf(world, delivery)).attempts < 3)
      throw new Error('three attempts have not been made');
  });
  await delivery.workflow().terminate();
  const [start] = await forgottenStarts(world.database.em.fork(), 'deliveries', [delivery.id]);
  if (start === undefined) throw new Error('the delivery is not there');
  const nowMs = (await world.now()).getTime();
  await startUnlessRunning(world.client, world.taskQueue, start, nowMs);
  return ended(delivery.workflow());
}

async function auditOfSomethingOverdue(world: WorkflowWorld): Promise<WorkflowHandle> {
  await insertPix(world, { expiresInS: -3_600 });
  const { client, taskQueue } = world;
  const workflowId = auditorScheduleId(taskQueue);
  return ended(await client.workflow.start(AUDITOR_WORKFLOW, { workflowId, taskQueue }));
}

async function retentionOfNothingOld({ client, taskQueue }: WorkflowWorld): Promise<WorkflowHandle> {
  const workflowId = retentionScheduleId(taskQueue);
  return ended(await client.workflow.start(RETENTION_WORKFLOW, { workflowId, taskQueue }));
}

/** Its store has a code that expires on the way. */
async function storeClockPastADeadline(world: WorkflowWorld): Promise<WorkflowHandle> {
  const { client, taskQueue, database, storeId } = await withNewStore(world);
  await startAsleep({ ...world, storeId }, await insertPix({ ...world, storeId }, { expiresInS: 3_600 }));
  const from = await world.now();
  const aheadMs = 2 * 60 * 60 * 1_000;
  const target = new Date(from.getTime() + aheadMs);
  await beginJourney(database, { storeId, from, target, real: from, aheadMs });
  const workflowId = storeClockWorkflowId(storeId);
  return ended(
    await client.workflow.start(STORE_CLOCK_WORKFLOW, { workflowId, taskQueue, args: [{ storeId }] }),
  );
}

async function reconciliationOfNoAccount({ client, taskQueue }: WorkflowWorld): Promise<WorkflowHandle> {
  const workflowId = reconciliationScheduleId(taskQueue);
  return ended(await client.workflow.start(RECONCILIATION_WORKFLOW, { workflowId, taskQueue }));
}

async function announcementOfATrial(world: WorkflowWorld, sink: WebhookSink): Promise<WorkflowHandle> {
  const { client, database, storeId, taskQueue } = world;
  const endpoint = sink.endpoint().url;
  await insertWebhook(database, { storeId, endpoint, events: ['subscription.trial_ending'] });
  await subscribe(world, { trialDays: 1 });
  const workflowId = announcerScheduleId(taskQueue);
  return ended(await client.workflow.start(ANNOUNCER_WORKFLOW, { workflowId, taskQueue }));
}

async function ended(workflow: WorkflowHandle): Promise<WorkflowHandle> {
  await howItEnded(workflow);
  return workflow;
}
