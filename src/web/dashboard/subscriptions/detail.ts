import { subscriptionWorkflowId } from '../../../../workflows/subscription.contract.ts';
import { listMandates } from '../../../api/mandates/routes.ts';
import type { ShownMandate } from '../../../api/mandates/schema.ts';
import { type SubscriptionHistory, subscriptionHistory } from '../../../api/subscriptions/history.ts';
import { requireSubscription } from '../../../api/subscriptions/queries.ts';
import { getSubscription } from '../../../api/subscriptions/routes.ts';
import { customerNames } from '../../../customers/find-customers.ts';
import type { Subscription } from '../../../database/entities/subscription.ts';
import { itemText, totalCentsOf } from '../../../domain/checkout.ts';
import { cyclePriceOf } from '../../../domain/cycle-price.ts';
import { lessCreditCents } from '../../../domain/proration.ts';
import type { AddOn } from '../../../domain/subscribed-plan.ts';
import { isKeptPastDue, isPaused, nextChargeAtOf } from '../../../domain/subscription.ts';
import type { ShownSubscription } from '../../../wire/subscription/schema.ts';
import { type Html, html } from '../../frame/html.ts';
import { dayText } from '../../i18n/dates.ts';
import { discountText as couponDiscountText } from '../catalog/coupon-words.ts';
import { copyChip, customerLink, day, link, section, time } from '../frame/components.ts';
import { detailPage } from '../frame/detail.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { workflowFacts } from '../payments/workflow-facts.ts';
import { amount, perCycle } from '../words.ts';
import { cyclesTable, planChangesTable, usageTable } from './history-tables.ts';
import { endMandateDialogs } from './mandate-forms.ts';
import { debitsTable, mandatesTable } from './mandate-tables.ts';
import { subscriptionPanels } from './panels.ts';
import { chargedTo, stateBadge, troubleText } from './words.ts';

/** The newest authorizations that are shown. */
const MANDATES = '5';

/** One subscription: how it stands, its invoices, changes of plan and usage. */
export const subscriptionDetail = dashboardRoute({
  method: 'GET',
  path: '/subscriptions/:id',
  action: 'read',
  async handler(visit) {
    const { say, em, caller, params } = visit;
    const subscription = await requireSubscription(em, caller, params.id ?? '');
    const { id, plan, status, customerId } = subscription;
    const [shown, history, mandates, workflow, names] = await Promise.all([
      read(visit, getSubscription, { query: { id } }),
      subscriptionHistory(em, id),
      read(visit, listMandates, { query: { subscriptionId: id, limit: MANDATES } }),
      workflowFacts(visit, subscriptionWorkflowId(id)),
      customerNames(em, caller, [customerId]),
    ]);
    const { addOns = [] } = plan;
    const name = names.get(customerId ?? '');
    return detailPage(visit, {
      title: name === undefined ? plan.name : `${name} · ${plan.name}`,
      active: 'subscriptions',
      state: stateBadge(subscription, say),
      ...(status === 'ACTIVE' &&
        visit.can('sell') && { actions: await subscriptionPanels(visit, subscription, shown.usage.amount) }),
      main: html`${standing(visit, subscription, shown)}
${sections(visit, subscription, history, mandates.items)}`,
      cards: [
        {
          title: say('dashboard.subscription'),
          rows: [
            customerId === null
              ? null
              : [
                  say('dashboard.customer'),
                  customerLink(visit, { ...subscription, customerId }, name ?? customerId),
                ],
            [say('dashboard.plan'), itemText(plan)],
            addOns.length === 0 ? null : [say('dashboard.addOns'), addOnList(addOns)],
            [say('dashboard.amount'), `${amount(shown.amount)} ${perCycle(shown.frequency, say)}`],
            shown.discount && [say('dashboard.discount'), discountText(visit, shown.discount)],
            subscription.creditCents > 0
              ? [say('dashboard.subscriptions.credit'), amount(subscription.creditCents)]
              : null,
            [say('dashboard.chargedTo'), chargedTo(subscription, say)],
            status === 'ACTIVE' ? [usageLabel(visit, subscription), amount(shown.usage.amount)] : null,
            shown.trialEndsAt === null
              ? null
              : [say('dashboard.subscriptions.trialUntil'), day(visit, shown.trialEndsAt)],
            [say('dashboard.subscriptions.ifItFails'), retryText(visit, subscription)],
            [say('dashboard.began'), time(visit, shown.createdAt)],
          ],
        },
        {
          title: say('dashboard.forDevelopers'),
          rows: [
            ['Id', copyChip(visit, id)],
            [
              say('dashboard.checkout'),
              link(visit, `/checkouts/${shown.checkoutId}`, say('dashboard.home.seeTheCheckout')),
            ],
            shown.externalId === null ? null : [say('dashboard.yourId'), shown.externalId],
            ...workflow,
          ],
        },
      ],
    });
  },
});

/** Each add-on with its price per cycle. */
function addOnList(addOns: readonly AddOn[]): Html {
  return html`${addOns.map(
    (addOn, index) => html`${index > 0 && html`<br>`}${itemText(addOn)} · ${amount(totalCentsOf([addOn]))}`,
  )}`;
}

function retryText({ say }: Visit, { maxRetry, retryEveryDays }: Subscription): string {
  return say('dashboard.subscriptions.upToAttemptsEveryDays', { maxRetry, retryEveryDays });
}

function sections(
  visit: Visit,
  subscription: Subscription,
  history: SubscriptionHistory,
  mandates: readonly ShownMandate[],
): Html {
  const { say } = visit;
  const { id } = subscription;
  const debits = mandates.flatMap((mandate) => mandate.debits);
  return html`${section(say('dashboard.subscriptions.cycles'), cyclesTable(visit, history.cycles))}
<p><a href="${visit.link('/payments', { subscriptionId: id })}">${say('dashboard.subscriptions.allPaymentsAndAttempts')}</a> · <a href="${visit.link('/invoices', { subscriptionId: id })}">${say('dashboard.invoices.ofSubscription')}</a></p>
${mandates.length > 0 && section('Pix Automático', html`${mandatesTable(visit, mandates)}${visit.can('sell') && endMandateDialogs(visit, subscription, mandates)}${debits.length > 0 && debitsTable(visit, debits)}`)}
${history.planChanges.length > 0 && section(say('dashboard.subscriptions.changesOfPlan'), planChangesTable(visit, history.planChanges))}
${history.usage.length > 0 && section(say('dashboard.subscriptions.usage'), usageTable(visit, history.usage))}`;
}

/** The price of the plan's next cycle as of now. */
function nextCents(
  { cycleNumber, discount, creditCents, usageEndsAt }: Subscription,
  shown: ShownSubscription,
): number {
  const planCents = shown.pendingUpdate?.newAmount ?? shown.amount;
  const next = {
    number: cycleNumber + 1,
    planCents,
    usageCents: usageEndsAt === null ? shown.usage.amount : 0,
    discount,
  };
  return lessCreditCents(cyclePriceOf(next).amountCents, creditCents);
}

/** The usage so far, and when it is charged if that is before the plan. */
function usageLabel({ say, locale }: Visit, { usageEndsAt }: Subscription): string {
  if (usageEndsAt === null) return say('dashboard.subscriptions.usageToBeCharged');
  return say('dashboard.subscriptions.usageChargedOn', { date: dayText(locale, usageEndsAt) });
}

function discountText({ say, locale }: Visit, discount: NonNullable<ShownSubscription['discount']>): string {
  const { coupon, lastInstallmentNumber: number } = discount;
  const off = couponDiscountText(discount, locale);
  return number === null
    ? say('dashboard.subscriptions.offEveryInvoice', { coupon, off })
    : say('dashboard.subscriptions.offUntilInvoice', { coupon, off, number });
}

/** When the next charge is, or why there is none. */
function standing(visit: Visit, subscription: Subscription, shown: ShownSubscription): Html {
  const { say, storeNow } = visit;
  const { canceledAt, cancelAt, resumesAt, failedAttempts } = subscription;
  const pausedAt = isPaused(subscription) ? subscription.pausedAt : null;
  const trouble = troubleText(subscription, say);
  // Usage that is charged before the plan is shown by itself.
  const next = nextChargeAtOf({ ...subscription, usageEndsAt: null }, storeNow);
  const tone = canceledAt !== null ? 'plain' : failedAttempts > 0 ? 'bad' : 'good';
  const change = shown.pendingUpdate;
  return html`<div class="answer answer--${tone}">
${trouble !== null && html`<p>${trouble}.</p>`}
<p>${
    pausedAt !== null && canceledAt === null
      ? html`${say('dashboard.subscriptions.pausedSince')} ${day(visit, pausedAt)}. ${resumesAt !== null && html`${say('dashboard.subscriptions.resumesOn')} ${day(visit, resumesAt)}.`} ${cancelAt !== null && html`${say('dashboard.subscriptions.endsOn')} ${day(visit, cancelAt)}.`}`
      : next === null
        ? isKeptPastDue(subscription) && canceledAt === null
          ? say('dashboard.subscriptions.waitsForItsPayer')
          : cancelAt !== null && canceledAt === null
            ? html`${say('dashboard.subscriptions.endsOn')} ${day(visit, cancelAt)}.`
            : html`${say('dashboard.subscriptions.thereAreNoMoreCharges')} ${canceledAt !== null && day(visit, canceledAt)}.`
        : html`${say('dashboard.subscriptions.nextCharge')} ${amount(nextCents(subscription, shown))}, ${day(visit, next)}.`
  }</p>
${finalUsageNote(visit, shown)}
${change !== null && cancelAt === null && html`<p>${say('dashboard.subscriptions.thePlanChangesWithThe', { newAmount: amount(change.newAmount) })}</p>`}</div>`;
}

/** The checkout that charges the usage which no cycle has charged. */
function finalUsageNote(visit: Visit, { finalUsage }: ShownSubscription): Html | null {
  if (finalUsage === null) return null;
  const text = visit.say('dashboard.subscriptions.finalUsage', { amount: amount(finalUsage.amount) });
  return html`<p>${link(visit, `/checkouts/${finalUsage.checkoutId}`, text)}</p>`;
}
