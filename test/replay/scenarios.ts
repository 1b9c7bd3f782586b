import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { DebitEntity } from '../../src/database/entities/debit.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { beginJourney } from '../../src/database/store-clock.ts';
import { nextBusinessDay } from '../../src/domain/business-days.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import { debitDaysOf } from '../../src/domain/debit.ts';
import { debitStart } from '../../src/temporal/debit.ts';
import { SettlementStarts } from '../../src/temporal/settlement.ts';
import { unstartedWorkflowsOf } from '../../src/temporal/unstarted-workflows.ts';
import { startOnce, startUnlessRunning, type WorkflowStart } from '../../src/temporal/workflow-start.ts';
import { ANNOUNCER_WORKFLOW, announcerScheduleId } from '../../workflows/announcer.contract.ts';
import { AUDITOR_WORKFLOW, auditorScheduleId } from '../../workflows/auditor.contract.ts';
import { chargeWorkflowId } from '../../workflows/charge.contract.ts';
import { debitWorkflowId } from '../../workflows/debit.contract.ts';
import {
  RECONCILIATION_WORKFLOW,
  reconciliationScheduleId,
} from '../../workflows/reconciliation.contract.ts';
import { RETENTION_WORKFLOW, retentionScheduleId } from '../../workflows/retention.contract.ts';
import { settlementWorkflowId } from '../../workflows/settlement.contract.ts';
import { STORE_CLOCK_WORKFLOW, storeClockWorkflowId } from '../../workflows/store-clock.contract.ts';
import { subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { askForPayout } from '../support/api/store-request.ts';
import { cancel, chargeUpdates, mustPay, notify, payUnnoticed } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  cancelCheckout,
  chargeWorkflowOf,
  checkoutWorkflowOf,
  openCheckout,
  openLink,
  sleepingCheckout,
  startCheckoutAsleep,
} from '../support/fixtures/checkouts.ts';
import { howItEnded } from '../support/fixtures/how-it-ended.ts';
import { dispute, paidPix, refund, startPayout } from '../support/fixtures/money.ts';
import {
  billWith,
  cancelSubscription,
  changePlan,
  DAY_MS,
  insertSubscription,
  newestCharge,
  nextCycle,
  pauseSubscription,
  resumeSubscription,
  scheduleCancellation,
  sleepUntil,
  startSubscription,
  subscribe,
  subscriptionOf,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import type { WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { type Script, scriptedMandates } from '../support/outside/scripted-mandates.ts';
import type { WebhookSink } from '../support/outside/webhook-sink.ts';
import { withNewStore } from '../support/rows/books.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { insertBoleto, insertPix, startAsleep } from '../support/rows/charges.ts';
import { insertCoupon } from '../support/rows/checkout-rows.ts';
import { deliveryOf, failedRange, resend, send, startResend } from '../support/rows/deliveries.ts';
import { insertDebit, insertMandate } from '../support/rows/mandates.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** A path through a workflow, walked once so that its history can be kept. */
export interface Scenario {
  /** Names the history's file, so it begins with the workflow's type. */
  readonly name: string;
  /** The real server writes the histories of production. Scenarios that last days need the server that skips time. */
  readonly server: 'real' | 'time-skipping';
  /** @returns the run whose history is kept, once it has ended. */
  readonly walk: (fixture: WorkflowFixture, sink: WebhookSink) => Promise<WorkflowHandle>;
}

/** The shortest time for which a charge can be open. */
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
  { name: 'charge-paid-in-time-notified-late', server: 'real', walk: chargeNotifiedLate },
  { name: 'charge-payment-known-later', server: 'real', walk: chargePaymentKnownLater },
  { name: 'charge-continued-as-new', server: 'real', walk: chargeContinuedAsNew },
  { name: 'charge-boleto-paid-late', server: 'time-skipping', walk: chargeBoletoPaidLate },
  { name: 'charge-boleto-expired-after-window', server: 'time-skipping', walk: chargeBoletoExpired },
  { name: 'charge-card-approved', server: 'real', walk: chargeCardApproved },
  { name: 'charge-card-approved-at-last', server: 'real', walk: chargeCardApprovedAtLast },
  { name: 'charge-card-declined', server: 'real', walk: chargeCardDeclined },
  { name: 'charge-card-given-up', server: 'real', walk: chargeCardGivenUp },
  { name: 'charge-card-cancelled-meanwhile', server: 'real', walk: chargeCardCancelledMeanwhile },
  { name: 'charge-card-confirmed', server: 'real', walk: chargeCardConfirmed },
  { name: 'charge-card-never-confirmed', server: 'real', walk: chargeCardNeverConfirmed },
  { name: 'charge-free', server: 'real', walk: chargeFree },
  { name: 'charge-refunded', server: 'real', walk: chargeRefunded },
  { name: 'charge-refund-refused', server: 'real', walk: chargeRefundRefused },
  { name: 'charge-refunded-at-last', server: 'real', walk: chargeRefundedAtLast },
  { name: 'charge-refund-unfinished', server: 'real', walk: chargeRefundPending },
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
  { name: 'checkout-paid-in-time-notified-late', server: 'real', walk: checkoutNotifiedLate },
  { name: 'payout-complete', server: 'real', walk: payoutComplete },
  { name: 'payout-failed', server: 'real', walk: payoutFailed },
  { name: 'payout-slow', server: 'real', walk: payoutSlow },
  { name: 'debit-paid', server: 'time-skipping', walk: debitPaid },
  { name: 'debit-paid-on-another-date', server: 'time-skipping', walk: debitPaidOnAnotherDate },
  { name: 'debit-failed', server: 'time-skipping', walk: debitFailed },
  { name: 'debit-dropped', server: 'time-skipping', walk: debitDropped },
  { name: 'subscription-debited', server: 'time-skipping', walk: subscriptionDebited },
  { name: 'subscription-not-debited', server: 'time-skipping', walk: subscriptionNotDebited },
  { name: 'settlement-of-boleto', server: 'time-skipping', walk: settlementOfBoleto },
  { name: 'settlement-of-card', server: 'time-skipping', walk: settlementOfCard },
  { name: 'settlement-of-late-payment', server: 'real', walk: settlementOfLatePayment },
  { name: 'settlement-of-later-payment', server: 'real', walk: settlementOfLaterPayment },
  { name: 'subscription-renewed', server: 'time-skipping', walk: subscriptionRenewed },
  { name: 'subscription-trial', server: 'time-skipping', walk: subscriptionTrial },
  { name: 'subscription-dunning-recovered', server: 'time-skipping', walk: subscriptionRecovered },
  { name: 'subscription-dunning-cancelled', server: 'time-skipping', walk: subscriptionGivenUp },
  { name: 'subscription-dunning-paused', server: 'time-skipping', walk: subscriptionPausedByDunning },
  { name: 'subscription-kept-past-due', server: 'time-skipping', walk: subscriptionKeptPastDue },
  { name: 'subscription-plan-changed', server: 'time-skipping', walk: subscriptionPlanChanged },
  { name: 'subscription-plan-changed-asleep', server: 'real', walk: subscriptionPlanChangedAsleep },
  { name: 'subscription-cancelled-asleep', server: 'real', walk: subscriptionCancelledAsleep },
  { name: 'subscription-cancelled-retrying', server: 'real', walk: subscriptionCancelledWhileRetrying },
  { name: 'subscription-cancelled-waiting', server: 'real', walk: subscriptionCancelledWhileWaiting },
  { name: 'subscription-ends-with-period', server: 'time-skipping', walk: subscriptionEndsWithPeriod },
  { name: 'subscription-ends-while-code-open', server: 'time-skipping', walk: subscriptionEndsWithOpenCode },
  {
    name: 'subscription-paused-while-failing',
    server: 'time-skipping',
    walk: subscriptionPausedWhileFailing,
  },
  { name: 'subscription-pix-renewed', server: 'real', walk: subscriptionPixRenewed },
  { name: 'subscription-pix-paid-early', server: 'real', walk: subscriptionPixPaidEarly },
  { name: 'subscription-continued-as-new', server: 'real', walk: subscriptionContinuedAsNew },
  { name: 'subscription-not-notified', server: 'time-skipping', walk: subscriptionNotNotified },
  {
    name: 'subscription-paid-in-time-notified-late',
    server: 'time-skipping',
    walk: subscriptionNotifiedLate,
  },
  { name: 'webhookDelivery-delivered-open-lane', server: 'real', walk: deliveredInTheOpenQueue },
  { name: 'webhookDelivery-delivered-fast-lane', server: 'real', walk: deliveredInTheFastQueue },
  { name: 'webhookDelivery-failed-410', server: 'real', walk: failedAsGone },
  { name: 'webhookDelivery-resent-after-delivery', server: 'real', walk: resentAfterDelivery },
  { name: 'webhookDelivery-resent-while-waiting', server: 'real', walk: resentWhileWaiting },
  { name: 'webhookDelivery-delivered-after-retries', server: 'time-skipping', walk: deliveredAfterRetries },
  { name: 'webhookDelivery-exhausted', server: 'time-skipping', walk: exhausted },
  { name: 'webhookDelivery-gone-on-with', server: 'time-skipping', walk: goneOnWith },
  { name: 'retention-of-nothing-old', server: 'real', walk: retentionOfNothingOld },
  { name: 'reconciliation-of-no-account', server: 'real', walk: reconciliationOfNoAccount },
  { name: 'storeClock-past-a-deadline', server: 'real', walk: storeClockPastADeadline },
  { name: 'announcer-of-a-trial', server: 'real', walk: announcementOfATrial },
  { name: 'webhookResend-of-a-range', server: 'time-skipping', walk: rangeResent },
  { name: 'webhookResend-stopped', server: 'real', walk: rangeStopped },
  { name: 'auditor-of-something-overdue', server: 'real', walk: auditOfSomethingOverdue },
];

async function chargePaidWhileAsleep(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await insertPix(fixture);
  const workflow = await startAsleep(fixture, charge);
  await notify(fixture, await mustPay(fixture, charge));
  return ended(workflow);
}

async function chargePaidBeforeItWasStarted(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await insertPix(fixture);
  await notify(fixture, await mustPay(fixture, charge));
  return ended(fixture.client.workflow.getHandle(chargeWorkflowId(charge.id)));
}

async function chargeExpiredUnpaid(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  return ended(await startAsleep(fixture, await insertPix(fixture, SHORT)));
}

async function chargeExpiredAfterTooLittle(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await insertPix(fixture, { expiresInS: 3 });
  const workflow = await startAsleep(fixture, charge);
  await notify(fixture, await mustPay(fixture, charge, { amountCents: 1 }));
  return ended(workflow);
}

async function chargeCancelled(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await insertPix(fixture);
  const workflow = await startAsleep(fixture, charge);
  await cancel(fixture, charge);
  return ended(workflow);
}

async function chargePaymentReturnedAfterExpiry(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await insertPix(fixture, SHORT);
  await (await startAsleep(fixture, charge)).result();
  const late = { reference: charge.providerReference, amountCents: 10_000, paidAt: await fixture.now() };
  await notify(fixture, fixture.provider.payDespiteClosing(late));
  return ended(fixture.client.workflow.getHandle(chargeWorkflowId(charge.id)));
}

/** Returns the second run. The first one has expired. */
async function chargeNotifiedLate(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await insertPix(fixture, SHORT);
  const payment = payUnnoticed(fixture, charge, 500);
  await ended(await startAsleep(fixture, charge));
  await notify(fixture, payment);
  return ended(chargeWorkflowOf(fixture, charge));
}

/** The bank notifies a payment twice before its look-up knows it. */
async function chargePaymentKnownLater(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await insertPix(fixture);
  const workflow = await startAsleep(fixture, charge);
  const payment = await mustPay(fixture, charge);
  fixture.provider.hideFromLookUps(payment);
  await notify(fixture, payment).catch(() => undefined);
  await notify(fixture, payment).catch(() => undefined);
  fixture.provider.hideFromLookUps(payment, false);
  return ended(workflow);
}

/** Returns the first run, which continues as new because the server suggests it. */
async function chargeContinuedAsNew(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await insertPix(fixture);
  const { workflowId, firstExecutionRunId } = await startAsleep(fixture, charge);
  const payment = await mustPay(fixture, charge);
  fixture.provider.hideFromLookUps(payment);
  const first = fixture.client.workflow.getHandle(workflowId, firstExecutionRunId);
  while ((await first.describe()).status.name === 'RUNNING')
    await notify(fixture, payment).catch(() => undefined);
  fixture.provider.hideFromLookUps(payment, false);
  await notify(fixture, payment).catch(() => undefined);
  await ended(fixture.client.workflow.getHandle(workflowId));
  return first;
}

async function boletoWithAdditions(fixture: WorkflowFixture) {
  const dueDate = nextBusinessDay(addDays(saoPauloDateOf(await fixture.now()), 3));
  const fine = { value: 200, type: 'PERCENTAGE' } as const;
  return insertBoleto(fixture, { dueDate, fine, interest: { value: 100 } });
}

async function chargeBoletoPaidLate(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await boletoWithAdditions(fixture);
  const workflow = await startAsleep(fixture, charge);
  const { dueDate } = charge;
  if (dueDate === null) throw new Error('a boleto has a due date');
  const lateMs = saoPauloMidnight(addDays(dueDate, 40)).getTime();
  await fixture.environment.sleep(lateMs - (await fixture.now()).getTime());
  await notify(fixture, await mustPay(fixture, charge, { amountCents: 10_333 }));
  return ended(workflow);
}

async function chargeBoletoExpired(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  return ended(await startAsleep(fixture, await boletoWithAdditions(fixture)));
}

async function chargeCardApproved(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  return ended(chargeWorkflowOf(fixture, await beginPayment(fixture, await openCheckout(fixture), BY_CARD)));
}

async function chargeCardApprovedAtLast(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  fixture.provider.failNext('chargeCard', 2);
  return chargeCardApproved(fixture);
}

async function chargeCardDeclined(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  fixture.provider.declineNext('insufficient_funds');
  return chargeCardApproved(fixture);
}

/** The workflow does the same for every failure that rules out an answer. */
async function chargeCardGivenUp(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const noAnswer = ApplicationFailure.nonRetryable('no answer');
  // A stack would put the folders of this machine into the history.
  noAnswer.stack = '';
  fixture.provider.afterNextAnswer('chargeCard', () => Promise.reject(noAnswer));
  return chargeCardApproved(fixture);
}

/**
 * A worker dies in the first task. In the second one the issuer needs longer than a task may last, and two cancellations
 * come with the task that continues it. In the kept history the issuer answered at the instant of that task, so the
 * answer precedes the cancellations: a replay delivers them together with the start. No walk can time that, so that
 * history is of a run under load.
 */
async function chargeCardCancelledMeanwhile(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await beginPayment(fixture, await openCheckout(fixture), {
    ...BY_CARD,
    deps: { chargeUpdates: { authorize: () => Promise.resolve('PENDING') } },
  });
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  fixture.provider.afterNextAnswer('chargeCard', () => {
    asked.resolve();
    return answer.promise;
  });
  await fixture.workers.without(async () => {
    await startLost(fixture, 'charges', charge.id);
    await loseTask(fixture);
  });
  await asked.promise;
  const workflow = chargeWorkflowOf(fixture, charge);
  const cancelled = [cancel(fixture, charge), cancel(fixture, charge)];
  await eventually(async () => {
    const { events } = await workflow.fetchHistory();
    if (!events?.some((event) => event.workflowTaskCompletedEventAttributes))
      throw new Error('the first task is not over');
  });
  answer.resolve();
  await Promise.all(cancelled);
  return ended(workflow);
}

const CONFIRM = {
  outcome: 'REQUIRES_ACTION',
  url: 'https://bank.example.com/3ds',
  pollAfterMs: 1_000,
} as const;

async function chargeCardConfirmed(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  fixture.provider.answerCardsFirst(CONFIRM, CONFIRM);
  const charge = await beginPayment(fixture, await openCheckout(fixture), BY_CARD);
  await chargeUpdates(fixture).askProviderNow(charge.id);
  return ended(chargeWorkflowOf(fixture, charge));
}

async function chargeCardNeverConfirmed(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  fixture.provider.actionTimeoutMs = 2_000;
  fixture.provider.answerCardsFirst(...Array.from({ length: 10 }, () => CONFIRM));
  const workflow = await chargeCardApproved(fixture);
  fixture.provider.forgetUndecided();
  fixture.provider.actionTimeoutMs = 15 * 60_000;
  return workflow;
}

async function chargeFree(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { code } = await insertCoupon(fixture, { discountValue: 10_000 });
  const checkout = await openCheckout(fixture, { coupons: [code] });
  return ended(chargeWorkflowOf(fixture, await beginPayment(fixture, checkout, { couponCode: code })));
}

async function chargeRefunded(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await endedPix(fixture);
  await refund(fixture, charge);
  return ended(chargeWorkflowOf(fixture, charge));
}

async function chargeRefundRefused(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  fixture.provider.refuseReturns();
  const workflow = await chargeRefunded(fixture);
  fixture.provider.refuseReturns(false);
  return workflow;
}

async function chargeRefundedAtLast(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  fixture.provider.failNext('refund', 2);
  return chargeRefunded(fixture);
}

async function chargeRefundPending(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const later = { outcome: 'PENDING', pollAfterMs: 1_000 } as const;
  fixture.provider.answerRefunds(later, later);
  return chargeRefunded(fixture);
}

async function chargeDisputed(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await endedPix(fixture);
  await dispute(fixture, charge, 'OPEN');
  return ended(chargeWorkflowOf(fixture, charge));
}

async function chargeDisputeWon(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await endedPix(fixture);
  await dispute(fixture, charge, 'OPEN');
  await ended(chargeWorkflowOf(fixture, charge));
  await dispute(fixture, charge, 'WON');
  return ended(chargeWorkflowOf(fixture, charge));
}

async function chargeDisputeLost(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const charge = await endedPix(fixture);
  await dispute(fixture, charge, 'LOST');
  return ended(chargeWorkflowOf(fixture, charge));
}

/** A paid PIX charge whose first run has ended. */
async function endedPix(fixture: WorkflowFixture): Promise<Charge> {
  const charge = await paidPix(fixture);
  await ended(chargeWorkflowOf(fixture, charge));
  return charge;
}

/** A debit of the next cycle, started a week before. */
async function orderedDebit(fixture: WorkflowFixture, script: Script): Promise<Ordered> {
  fixture.provider.mandates = scriptedMandates(fixture.provider, script);
  const subscription = await subscribe(fixture, { methods: ['PIX'] });
  await startSubscription(fixture, subscription);
  const mandate = await insertMandate(fixture.database, subscription, { provider: fixture.provider.name });
  const { orderAt } = debitDaysOf(subscription.cycle, subscription.cycleEndsAt);
  await sleepUntil(fixture, orderAt);
  const debit = await insertDebit(fixture.database, subscription, mandate, { nextAt: orderAt });
  const { client, taskQueue } = fixture;
  await startOnce(client, taskQueue, debitStart(debit), { nowMs: orderAt.getTime() });
  await eventually(async () => {
    const row = await fixture.database.em.fork().findOneOrFail(DebitEntity, { id: debit.id });
    if (row.status !== 'ORDERED') throw new Error(`it is ${row.status}`);
  });
  return { subscription, run: client.workflow.getHandle(debitWorkflowId(debit.id)) };
}

interface Ordered {
  readonly subscription: Subscription;
  readonly run: WorkflowHandle;
}

async function debitPaid(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { run, subscription } = await orderedDebit(fixture, ['PAID']);
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + DAY_MS));
  return ended(run);
}

async function debitPaidOnAnotherDate(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { run, subscription } = await orderedDebit(fixture, ['FAILED', 'PAID']);
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 3 * DAY_MS));
  return ended(run);
}

/** Its payer gets a code. */
async function debitFailed(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { run, subscription } = await orderedDebit(fixture, []);
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 5 * DAY_MS));
  await cancelSubscription(fixture, subscription);
  return ended(run);
}

/** It sleeps until its charge has ended, and then waits for the cycle after it. */
async function subscriptionDebited(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { run, subscription } = await orderedDebit(fixture, ['PAID']);
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + DAY_MS));
  await ended(run);
  await cancelSubscription(fixture, subscription);
  return ended(workflowOf(fixture, subscription));
}

/** Its payer gets a code once the debit has failed. */
async function subscriptionNotDebited(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { run, subscription } = await orderedDebit(fixture, []);
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 5 * DAY_MS));
  await ended(run);
  await cancelSubscription(fixture, subscription);
  return ended(workflowOf(fixture, subscription));
}

async function debitDropped(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { run, subscription } = await orderedDebit(fixture, ['PAID']);
  await pauseSubscription(fixture, subscription);
  return ended(run);
}

async function payoutComplete(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const shop = await withNewStore(fixture);
  await paidPix(shop);
  return ended(await startPayout(shop, await askForPayout(shop, 5_000)));
}

async function payoutFailed(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  fixture.provider.answerTransfers({ outcome: 'FAILED', reason: 'account_closed' });
  return payoutComplete(fixture);
}

async function payoutSlow(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  fixture.provider.answerTransfers({ outcome: 'PENDING' }, { outcome: 'PENDING' });
  return payoutComplete(fixture);
}

async function settlementOfBoleto(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const dueDate = addDays(saoPauloDateOf(await fixture.now()), 60);
  const charge = await insertBoleto(fixture, { dueDate, interest: null, fine: null });
  await notify(fixture, await mustPay(fixture, charge));
  return settled(fixture, charge);
}

async function settlementOfCard(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const shop = await withNewStore(fixture);
  return settled(shop, await beginPayment(shop, await openCheckout(shop), BY_CARD));
}

async function settled(fixture: WorkflowFixture, { id }: Charge): Promise<WorkflowHandle> {
  const { settlesAt } = await fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });
  if (settlesAt === null) throw new Error('a payment has a day on which it settles');
  return ended(settlementOf(fixture, settlesAt));
}

/** A signal starts the run, because the day has already started. */
async function settlementOfLatePayment(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  return settledByStarts(fixture, [0]);
}

/** The second payment settles a moment after the first one, for which the run was started. */
async function settlementOfLaterPayment(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  return settledByStarts(fixture, [1_000, 2_500]);
}

async function settledByStarts(
  fixture: WorkflowFixture,
  laterMs: readonly number[],
): Promise<WorkflowHandle> {
  const shop = await withNewStore(fixture);
  const starts = new SettlementStarts(shop.client, shop.taskQueue);
  const nowMs = (await shop.now()).getTime();
  const owner = { storeId: shop.storeId, devMode: true };
  for (const ms of laterMs) await starts.start(owner, new Date(nowMs + ms), nowMs);
  return ended(settlementOf(shop, new Date(nowMs)));
}

function settlementOf({ client, storeId }: WorkflowFixture, settlesAt: Date): WorkflowHandle {
  return client.workflow.getHandle(settlementWorkflowId(storeId, true, saoPauloDateOf(settlesAt)));
}

async function checkoutPaid(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(fixture);
  await beginPayment(fixture, checkout, BY_CARD);
  return ended(workflow);
}

async function checkoutPaidWithOthersOpen(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(fixture);
  await beginPayment(fixture, checkout);
  await beginPayment(fixture, checkout, BY_CARD);
  return ended(workflow);
}

async function checkoutExpired(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  return ended((await sleepingCheckout(fixture, { expiresInMs: 1_000 })).workflow);
}

async function checkoutCancelled(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(fixture);
  await beginPayment(fixture, checkout);
  await cancelCheckout(fixture, checkout);
  return ended(workflow);
}

/** The cancellation finds a payment of which the bank has not notified Recebe. */
async function checkoutCancelledTooLate(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(fixture);
  await mustPay(fixture, await beginPayment(fixture, checkout));
  await cancelCheckout(fixture, checkout);
  return ended(workflow);
}

async function checkoutLinkCancelled(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const link = await openLink(fixture);
  const workflow = await startCheckoutAsleep(fixture, link);
  await beginPayment(fixture, link);
  await cancelCheckout(fixture, link);
  return ended(workflow);
}

async function checkoutWithLastMinuteBoleto(fixture: WorkflowFixture) {
  const { checkout, workflow } = await sleepingCheckout(fixture, { expiresInMs: 60_000 });
  return { workflow, charge: await beginPayment(fixture, checkout, { method: 'BOLETO' }) };
}

async function checkoutExpiredAfterBoleto(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  return ended((await checkoutWithLastMinuteBoleto(fixture)).workflow);
}

async function checkoutPaidByLateBoleto(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { workflow, charge } = await checkoutWithLastMinuteBoleto(fixture);
  await fixture.environment.sleep('1 day');
  await notify(fixture, await mustPay(fixture, charge));
  return ended(workflow);
}

/** Returns the second run. The first one has expired. */
async function checkoutNotifiedLate(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { checkout, workflow } = await sleepingCheckout(fixture, { expiresInMs: 1_000 });
  const charge = await beginPayment(fixture, checkout);
  const payment = payUnnoticed(fixture, charge, 500);
  await ended(workflow);
  await notify(fixture, payment);
  return ended(checkoutWorkflowOf(fixture, checkout));
}

/** A subscription that is cancelled in its fourth cycle. */
async function subscriptionRenewed(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture);
  for (let cycle = 2; cycle <= 4; cycle += 1) await nextCycle(fixture, subscription);
  return cancelled(fixture, subscription);
}

async function subscriptionTrial(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture, { trialDays: 7 });
  await nextCycle(fixture, subscription);
  return cancelled(fixture, subscription);
}

async function subscriptionRecovered(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture, { maxRetry: 2 });
  fixture.provider.declineNext('insufficient_funds');
  await nextCycle(fixture, subscription);
  await fixture.environment.sleep('25 hours');
  await eventually(async () => {
    const { status } = await newestCharge(fixture, subscription);
    if (status !== 'PAID') throw new Error('not paid yet');
  });
  await nextCycle(fixture, subscription);
  return cancelled(fixture, subscription);
}

async function subscriptionGivenUp(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture, { maxRetry: 2 });
  for (let attempt = 1; attempt <= 2; attempt += 1) fixture.provider.declineNext('card_declined');
  return ended(workflowOf(fixture, subscription));
}

/** @returns the run that collected the cycle, which the pause moved on from. */
async function subscriptionPausedByDunning(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  await billWith(fixture, { dunningEnd: 'PAUSE' });
  const { run } = await declinedOnce(fixture);
  await billWith(fixture, {});
  return run;
}

/** @returns the run that waits for the payer, until somebody cancels. */
async function subscriptionKeptPastDue(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  await billWith(fixture, { dunningEnd: 'KEEP_PAST_DUE' });
  const { subscription, run } = await declinedOnce(fixture);
  await billWith(fixture, {});
  await eventually(async () => {
    if ((await run.describe()).status.name === 'RUNNING') throw new Error('it has not moved on yet');
  });
  return cancelled(fixture, subscription);
}

/** A subscription whose only attempt at its second cycle was declined, and the run that has made it. */
async function declinedOnce(fixture: WorkflowFixture) {
  const subscription = await subscribe(fixture, { maxRetry: 1 });
  const { workflowId } = workflowOf(fixture, subscription);
  const { runId } = await workflowOf(fixture, subscription).describe();
  fixture.provider.declineNext('insufficient_funds');
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
  await eventually(async () => {
    const { pausedAt } = await subscriptionOf(fixture, { id: subscription.id });
    if (pausedAt === null) throw new Error('not declined yet');
  });
  return { subscription, run: fixture.client.workflow.getHandle(workflowId, runId) };
}

/** At once, before the first run's start delay is over. */
async function subscriptionPlanChangedAsleep(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture);
  await changePlan(fixture, subscription, { priceCents: 8_000 }, 1, 'DIFFERENCE');
  await eventually(async () => {
    const { cycleNumber, attemptDueAt } = await subscriptionOf(fixture, { id: subscription.id });
    if (cycleNumber !== 2 || attemptDueAt !== null) throw new Error('not charged yet');
  });
  return cancelled(fixture, subscription);
}

/** In time for the second cycle, and again in the third. */
async function subscriptionPlanChanged(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture);
  await changePlan(fixture, subscription, { priceCents: 8_000 });
  await nextCycle(fixture, subscription);
  await nextCycle(fixture, subscription);
  await changePlan(fixture, subscription, { cycle: 'WEEKLY' });
  await nextCycle(fixture, subscription);
  return cancelled(fixture, subscription);
}

/** A pause ends the retries. @returns the run that the pause moved on from. */
async function subscriptionPausedWhileFailing(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture);
  fixture.provider.declineNext('insufficient_funds');
  await nextCycle(fixture, subscription);
  const run = workflowOf(fixture, subscription);
  const { runId } = await run.describe();
  await pauseSubscription(fixture, subscription);
  await cancelSubscription(fixture, subscription);
  return fixture.client.workflow.getHandle(run.workflowId, runId);
}

/** Scheduled, undone and scheduled again: it ends instead of opening a cycle. */
async function subscriptionEndsWithPeriod(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture);
  await scheduleCancellation(fixture, subscription);
  await resumeSubscription(fixture, subscription);
  await scheduleCancellation(fixture, subscription);
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
  return workflowOf(fixture, subscription);
}

/** The period ends while a code of its cycle could still be paid. */
async function subscriptionEndsWithOpenCode(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture, { methods: ['PIX'], cycle: 'WEEKLY', retryEveryDays: 20 });
  const second = await opened(fixture, subscription);
  await scheduleCancellation(fixture, second);
  await sleepUntil(fixture, new Date(second.cycleEndsAt.getTime() + 60_000));
  return workflowOf(fixture, subscription);
}

/** Lets the next cycle open. @returns the row, with that cycle's dates. */
async function opened(fixture: WorkflowFixture, { id, cycleEndsAt }: Subscription): Promise<Subscription> {
  await sleepUntil(fixture, new Date(cycleEndsAt.getTime() + 60_000));
  return eventually(async () => {
    const row = await subscriptionOf(fixture, { id });
    if (row.cycleEndsAt <= cycleEndsAt) throw new Error('the next cycle has not been opened');
    return row;
  });
}

async function subscriptionCancelledAsleep(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  return cancelled(fixture, await subscribe(fixture));
}

async function subscriptionCancelledWhileRetrying(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  fixture.provider.declineNext('insufficient_funds');
  const subscription = await dueNow(fixture, 1, 'CARD');
  await eventually(async () => {
    const { failedAttempts } = await subscriptionOf(fixture, { id: subscription.id });
    if (failedAttempts === 0) throw new Error('not failed yet');
  });
  return cancelled(fixture, subscription);
}

async function subscriptionCancelledWhileWaiting(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await dueNow(fixture, 1, 'PIX');
  await codeOf(fixture, subscription);
  return cancelled(fixture, subscription);
}

async function subscriptionPixRenewed(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await dueNow(fixture, 1, 'PIX');
  await notify(fixture, await mustPay(fixture, await codeOf(fixture, subscription)));
  return cancelled(fixture, subscription);
}

/** Paid before the subscription could start the charge's workflow. */
async function subscriptionPixPaidEarly(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const now = await fixture.now();
  const anchor = new Date(now.getTime() - 7 * DAY_MS);
  const subscription = await insertSubscription(fixture, anchor, { cycle: 'WEEKLY', methods: ['PIX'] });
  await fixture.activities.openCycle({ subscriptionId: subscription.id, number: 2, nowMs: now.getTime() });
  await notify(fixture, await mustPay(fixture, await newestCharge(fixture, subscription)));
  await startSubscription(fixture, subscription);
  await eventually(async () => {
    const { nextNumber } = await workflowOf(fixture, subscription).query(subscriptionStateQuery);
    if (nextNumber < 3) throw new Error('not renewed yet');
  });
  return cancelled(fixture, subscription);
}

/** Returns the first run, which continues as new because the server suggests it. */
async function subscriptionContinuedAsNew(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await dueNow(fixture, 20, 'CARD');
  const { workflowId } = workflowOf(fixture, subscription);
  const first = await fixture.client.workflow.getHandle(workflowId).describe();
  await eventually(async () => {
    const { cycleNumber } = await subscriptionOf(fixture, { id: subscription.id });
    if (cycleNumber < 21) throw new Error('still catching up');
  });
  await cancelled(fixture, subscription);
  return fixture.client.workflow.getHandle(workflowId, first.runId);
}

/** The first attempt's workflow is terminated, so only its deadline ends the attempt. */
async function subscriptionNotNotified(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture, { methods: ['PIX'], maxRetry: 2 });
  const charge = await secondCycleCode(fixture, subscription);
  await chargeWorkflowOf(fixture, charge).terminate();
  await nextAttemptOf(fixture, subscription, charge);
  return cancelled(fixture, subscription);
}

/**
 * The first code of a cycle has expired and the second is open when the bank reports that the first was
 * paid.
 */
async function subscriptionNotifiedLate(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const subscription = await subscribe(fixture, { methods: ['PIX'], maxRetry: 2 });
  const charge = await secondCycleCode(fixture, subscription);
  const payment = payUnnoticed(fixture, charge);
  await nextAttemptOf(fixture, subscription, charge);
  await notify(fixture, payment);
  await eventually(async () => {
    const { nextNumber } = await workflowOf(fixture, subscription).query(subscriptionStateQuery);
    if (nextNumber < 3) throw new Error('not renewed yet');
  });
  return cancelled(fixture, subscription);
}

/** The PIX code of the second cycle, on a server that skips time. */
async function secondCycleCode(fixture: WorkflowFixture, subscription: Subscription): Promise<Charge> {
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
  return eventually(async () => {
    const charge = await newestCharge(fixture, subscription);
    if (charge.cycleId === null) throw new Error('the second cycle has not been opened');
    await chargeWorkflowOf(fixture, charge).describe();
    return charge;
  });
}

/** Lets ten minutes pass after the deadline of an attempt, until the next attempt has started. */
async function nextAttemptOf(fixture: WorkflowFixture, subscription: Subscription, charge: Charge) {
  await sleepUntil(fixture, new Date(charge.closesAt.getTime() + 10 * 60_000));
  await eventually(async () => {
    const newest = await newestCharge(fixture, subscription);
    if (newest.id === charge.id) throw new Error('not tried again yet');
    await chargeWorkflowOf(fixture, newest).describe();
  });
}

/** Starts a weekly subscription that is `cycles` cycles behind. */
async function dueNow(
  fixture: WorkflowFixture,
  cycles: number,
  method: 'CARD' | 'PIX',
): Promise<Subscription> {
  const anchor = new Date((await fixture.now()).getTime() - cycles * 7 * DAY_MS);
  await billWith(fixture, { missedCycles: 'CHARGE' });
  const subscription = await insertSubscription(fixture, anchor, { cycle: 'WEEKLY', methods: [method] });
  await startSubscription(fixture, subscription);
  return subscription;
}

/** The PIX code of the second cycle, once its workflow waits for the payer. */
function codeOf(fixture: WorkflowFixture, subscription: Subscription): Promise<Charge> {
  return eventually(async () => {
    const charge = await newestCharge(fixture, subscription);
    await chargeWorkflowOf(fixture, charge).describe();
    return charge;
  });
}

async function cancelled(fixture: WorkflowFixture, subscription: Subscription): Promise<WorkflowHandle> {
  await cancelSubscription(fixture, subscription);
  return ended(workflowOf(fixture, subscription));
}

async function deliveredInTheOpenQueue(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  return ended((await send(fixture, sink.endpoint().url)).workflow());
}

async function deliveredInTheFastQueue(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  const first = await send(fixture, sink.endpoint().url);
  await first.workflow().result();
  const second = await send(fixture, first.webhook.endpoint, first.webhook);
  return ended(second.workflow());
}

async function failedAsGone(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  return ended((await send(fixture, sink.endpoint(() => 410).url)).workflow());
}

async function resentAfterDelivery(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  const delivery = await send(fixture, sink.endpoint().url);
  await delivery.workflow().result();
  await resend(fixture, delivery);
  return ended(delivery.workflow());
}

async function resentWhileWaiting(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  const endpoint = sink.endpoint((attempt) => (attempt === 1 ? 500 : 200));
  const delivery = await send(fixture, endpoint.url);
  await endpoint.waitFor((received) => received.length === 1);
  await resend(fixture, delivery);
  return ended(delivery.workflow());
}

async function deliveredAfterRetries(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  const endpoint = sink.endpoint((attempt) => (attempt < 4 ? 500 : 200));
  return ended((await send(fixture, endpoint.url)).workflow());
}

async function rangeResent(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  return ended(await startResend(fixture, await failedRange(fixture, sink.endpoint().url, 25)));
}

async function rangeStopped(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  const endpoint = sink.endpoint();
  const workflow = await startResend(fixture, await failedRange(fixture, endpoint.url, 25));
  await endpoint.waitFor((received) => received.length > 0);
  await workflow.cancel();
  return ended(workflow);
}

async function exhausted(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  return ended((await send(fixture, sink.endpoint(() => 500).url)).workflow());
}

async function goneOnWith(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  const delivery = await send(fixture, sink.endpoint((attempt) => (attempt < 5 ? 500 : 200)).url);
  await fixture.environment.sleep('90 seconds');
  await eventually(async () => {
    if ((await deliveryOf(fixture, delivery)).attempts < 3)
      throw new Error('three attempts have not been made');
  });
  await delivery.workflow().terminate();
  await startLost(fixture, 'deliveries', delivery.id);
  return ended(delivery.workflow());
}

/** Takes a workflow task and does not complete it, as a worker that dies. */
async function loseTask({ client, taskQueue }: WorkflowFixture): Promise<void> {
  const { namespace } = client.options;
  const { taskToken } = await client.withDeadline(Date.now() + 60_000, () =>
    client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
  );
  await client.workflowService.respondWorkflowTaskFailed({ namespace, taskToken });
}

/** Starts the workflow of a row whose own start was lost. */
async function startLost(fixture: WorkflowFixture, table: WorkflowStart['table'], id: string): Promise<void> {
  const [start] = await unstartedWorkflowsOf(fixture.database.em.fork(), table, [id]);
  if (start === undefined) throw new Error(`${id} is not there`);
  await startUnlessRunning(fixture.client, fixture.taskQueue, start, (await fixture.now()).getTime());
}

async function auditOfSomethingOverdue(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  await insertPix(fixture, { expiresInS: -3_600 });
  const { client, taskQueue } = fixture;
  const workflowId = auditorScheduleId(taskQueue);
  return ended(await client.workflow.start(AUDITOR_WORKFLOW, { workflowId, taskQueue }));
}

async function retentionOfNothingOld({ client, taskQueue }: WorkflowFixture): Promise<WorkflowHandle> {
  const workflowId = retentionScheduleId(taskQueue);
  return ended(await client.workflow.start(RETENTION_WORKFLOW, { workflowId, taskQueue }));
}

/** Its store has a code that expires while the clock advances. */
async function storeClockPastADeadline(fixture: WorkflowFixture): Promise<WorkflowHandle> {
  const { client, taskQueue, database, storeId } = await withNewStore(fixture);
  await startAsleep({ ...fixture, storeId }, await insertPix({ ...fixture, storeId }, { expiresInS: 3_600 }));
  const from = await fixture.now();
  const aheadMs = 2 * 60 * 60 * 1_000;
  const target = new Date(from.getTime() + aheadMs);
  await beginJourney(database, { storeId, from, target, real: from, aheadMs });
  const workflowId = storeClockWorkflowId(storeId);
  return ended(
    await client.workflow.start(STORE_CLOCK_WORKFLOW, { workflowId, taskQueue, args: [{ storeId }] }),
  );
}

async function reconciliationOfNoAccount({ client, taskQueue }: WorkflowFixture): Promise<WorkflowHandle> {
  const workflowId = reconciliationScheduleId(taskQueue);
  return ended(await client.workflow.start(RECONCILIATION_WORKFLOW, { workflowId, taskQueue }));
}

async function announcementOfATrial(fixture: WorkflowFixture, sink: WebhookSink): Promise<WorkflowHandle> {
  const { client, database, storeId, taskQueue } = fixture;
  const endpoint = sink.endpoint().url;
  await insertWebhook(database, { storeId, endpoint, events: ['subscription.trial_ending'] });
  await subscribe(fixture, { trialDays: 1 });
  const workflowId = announcerScheduleId(taskQueue);
  return ended(await client.workflow.start(ANNOUNCER_WORKFLOW, { workflowId, taskQueue }));
}

async function ended(workflow: WorkflowHandle): Promise<WorkflowHandle> {
  await howItEnded(workflow);
  return workflow;
}
