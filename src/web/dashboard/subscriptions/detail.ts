import { subscriptionWorkflowId } from '../../../../workflows/subscription.contract.ts';
import { type SubscriptionHistory, subscriptionHistory } from '../../../api/subscriptions/history.ts';
import { requireSubscription } from '../../../api/subscriptions/queries.ts';
import { getSubscription } from '../../../api/subscriptions/routes.ts';
import { customerNames } from '../../../customers/find-customers.ts';
import type { Subscription } from '../../../database/entities/subscription.ts';
import type { ShownSubscription } from '../../../wire/subscription.ts';
import { type Html, html } from '../../frame/html.ts';
import { copyChip, link, section, time } from '../frame/components.ts';
import { detailPage } from '../frame/detail.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { workflowFacts } from '../payments/workflow-facts.ts';
import { amount, perCycle } from '../words.ts';
import { cyclesTable, planChangesTable, usageTable } from './history-tables.ts';
import { subscriptionPanels } from './panels.ts';
import { chargedTo, nextChargeOf, stateBadge, troubleText } from './words.ts';

/** One subscription: how it stands, its invoices, changes of plan and usage. */
export const subscriptionDetail = dashboardRoute({
  method: 'GET',
  path: '/subscriptions/:id',
  action: 'read',
  async handler(visit) {
    const { say, em, caller, params } = visit;
    const subscription = await requireSubscription(em, caller, params.id ?? '');
    const { id, plan, status, customerId } = subscription;
    const [shown, history, workflow, names] = await Promise.all([
      read(visit, getSubscription, { query: { id } }),
      subscriptionHistory(em, id),
      workflowFacts(visit, subscriptionWorkflowId(id)),
      customerNames(em, caller, [customerId]),
    ]);
    const name = names.get(customerId ?? '');
    return detailPage(visit, {
      title: name === undefined ? plan.name : `${name} · ${plan.name}`,
      active: 'subscriptions',
      actions: stateBadge(subscription, say),
      main: html`${standing(visit, subscription, shown)}
${status === 'ACTIVE' && visit.can('sell') && (await subscriptionPanels(visit, id))}
${sections(visit, subscription, history)}`,
      cards: [
        {
          title: say('Assinatura', 'Subscription'),
          rows: [
            customerId === null
              ? null
              : [say('Cliente', 'Customer'), link(visit, `/customers/${customerId}`, name ?? customerId)],
            [say('Plano', 'Plan'), `${plan.name}${plan.quantity > 1 ? ` × ${plan.quantity}` : ''}`],
            [say('Valor', 'Amount'), `${amount(shown.amount)} ${perCycle(shown.frequency, say)}`],
            [say('Cobrada em', 'Charged to'), chargedTo(subscription, say)],
            [say('Uso a cobrar', 'Usage to be charged'), amount(shown.usage.amount)],
            shown.trialEndsAt === null
              ? null
              : [say('Teste grátis até', 'Trial until'), time(visit, shown.trialEndsAt)],
            [say('Se falhar', 'If it fails'), retryText(visit, subscription)],
            [say('Começou', 'Began'), time(visit, shown.createdAt)],
          ],
        },
        {
          title: say('Para programadores', 'For developers'),
          rows: [
            ['Id', copyChip(visit, id)],
            [say('Checkout', 'Checkout'), link(visit, `/checkouts/${shown.checkoutId}`, shown.checkoutId)],
            shown.externalId === null ? null : [say('Seu id', 'Your id'), shown.externalId],
            ...workflow,
          ],
        },
      ],
    });
  },
});

function retryText({ say }: Visit, { maxRetry, retryEveryDays }: Subscription): string {
  return retryEveryDays === 1
    ? say(`até ${maxRetry} tentativas, uma por dia`, `up to ${maxRetry} attempts, one a day`)
    : say(
        `até ${maxRetry} tentativas, a cada ${retryEveryDays} dias`,
        `up to ${maxRetry} attempts, every ${retryEveryDays} days`,
      );
}

function sections(visit: Visit, { id }: Subscription, history: SubscriptionHistory): Html {
  const { say } = visit;
  return html`${section(say('Cobranças', 'Invoices'), cyclesTable(visit, history.cycles))}
<p><a href="${visit.link('/payments', { subscriptionId: id })}">${say('Todos os pagamentos e tentativas', 'All payments and attempts')}</a></p>
${history.planChanges.length > 0 && section(say('Mudanças de plano', 'Changes of plan'), planChangesTable(visit, history.planChanges))}
${history.usage.length > 0 && section(say('Consumo', 'Usage'), usageTable(visit, history.usage))}`;
}

/** When the next charge is, or why there is none. */
function standing(visit: Visit, subscription: Subscription, shown: ShownSubscription): Html {
  const { say, storeNow } = visit;
  const { canceledAt, failedAttempts } = subscription;
  const trouble = troubleText(subscription, say);
  const next = nextChargeOf(subscription, storeNow);
  const tone = canceledAt !== null ? 'plain' : failedAttempts > 0 ? 'bad' : 'good';
  const change = shown.pendingUpdate;
  return html`<div class="answer answer--${tone}">
${trouble !== null && html`<p>${trouble}.</p>`}
<p>${
    next === null
      ? html`${say('Nada mais é cobrado desde', 'There are no more charges since')} ${canceledAt !== null && time(visit, canceledAt)}.`
      : html`${say('Próxima cobrança:', 'Next charge:')} ${amount((change?.newAmount ?? shown.amount) + shown.usage.amount)}, ${time(visit, next)}.`
  }</p>
${change !== null && html`<p>${say(`O plano muda no próximo ciclo para ${amount(change.newAmount)}.`, `The plan changes with the next cycle to ${amount(change.newAmount)}.`)}</p>`}</div>`;
}
