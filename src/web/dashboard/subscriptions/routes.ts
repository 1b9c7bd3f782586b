import { subscriptionWorkflowId } from '../../../../workflows/subscription.contract.ts';
import { getSubscription, listSubscriptions } from '../../../api/subscriptions/routes.ts';
import { CycleEntity } from '../../../database/entities/cycle.ts';
import { type Subscription, SubscriptionEntity } from '../../../database/entities/subscription.ts';
import type { Em } from '../../../database/orm.ts';
import type { SubscriptionId } from '../../../domain/ids.ts';
import { RETRIES_EXCEEDED } from '../../../domain/retry-policy.ts';
import { SUBSCRIPTION_STATUSES } from '../../../domain/subscription.ts';
import type { ShownSubscription } from '../../../wire/subscription.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, copyChip, facts, guideLink, link, section, time } from '../frame/components.ts';
import { selectField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { emptyState, type LinkedRow, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { customerNames } from '../lists/customer-names.ts';
import { dayFields, listPage } from '../lists/list-page.ts';
import { workflowFacts } from '../payments/workflow-facts.ts';
import { amount, amountCell, amountHeading, perCycle, statusBadge, statusName } from '../words.ts';
import { subscriptionForms, subscriptionPanels } from './panels.ts';

const list = dashboardRoute({
  method: 'GET',
  path: '/subscriptions',
  action: 'read',
  handler(visit) {
    const { say, em, query } = visit;
    const statuses = SUBSCRIPTION_STATUSES.map((status) => [status, statusName(status, say)] as const);
    const status = query.get('subscriptionStatus') || 'ACTIVE';
    return listPage(visit, {
      title: say('Assinaturas', 'Subscriptions'),
      active: 'subscriptions',
      operation: listSubscriptions,
      parameters: ['createdFrom', 'createdTo', 'customerId'],
      // Subscriptions without a status are unpaid checkouts, which the list of checkouts shows.
      ...(!query.has('customerId') && { query: { subscriptionStatus: status } }),
      fields: html`${selectField({ name: 'subscriptionStatus', label: say('Situação', 'Status'), value: status, options: statuses })}${dayFields(visit)}`,
      headings: [
        say('Plano', 'Plan'),
        say('Cliente', 'Customer'),
        amountHeading(say('Valor', 'Amount')),
        say('Situação', 'Status'),
        say('Próxima cobrança', 'Next charge'),
        say('Falhas', 'Failures'),
        say('Começou', 'Began'),
      ],
      async rows(items) {
        const found = await subscriptionsOf(
          em,
          items.flatMap(({ subscriptionId }) => subscriptionId ?? []),
        );
        const names = await customerNames(
          visit,
          items.map(({ customerId }) => customerId),
        );
        return items.flatMap(({ subscriptionId, customerId }) => {
          const subscription = found.get(subscriptionId ?? '');
          const name = names.get(customerId ?? '') ?? '';
          return subscription === undefined ? [] : [rowOf(visit, subscription, name)];
        });
      },
      empty: emptyState({
        icon: 'repeat',
        title: say('Nenhuma assinatura aqui', 'No subscriptions here'),
        text: say(
          'Uma assinatura começa quando alguém paga o checkout de um produto com ciclo.',
          'A subscription starts when someone pays the checkout of a product with a cycle.',
        ),
        action: guideLink(
          visit,
          'subscriptions',
          say('Como vender assinaturas', 'How to sell subscriptions'),
        ),
      }),
    });
  },
});

async function subscriptionsOf(em: Em, ids: readonly string[]): Promise<ReadonlyMap<string, Subscription>> {
  const where = { id: { $in: ids as SubscriptionId[] } };
  const rows = await em.find(SubscriptionEntity, where, { disableIdentityMap: true });
  return new Map(rows.map((row) => [row.id, row]));
}

function rowOf(
  visit: Visit,
  {
    id,
    plan,
    amountCents,
    cycle,
    status,
    attemptDueAt,
    cycleEndsAt,
    failedAttempts,
    maxRetry,
    createdAt,
  }: Subscription,
  customerName: string,
): LinkedRow {
  const { say, now } = visit;
  const next = attemptDueAt !== null && attemptDueAt > now ? attemptDueAt : cycleEndsAt;
  const cells = [
    plan.name,
    customerName,
    html`${amountCell(amountCents)}<span class="amount soft">${perCycle(cycle, say)}</span>`,
    statusBadge(status, say),
    status === 'ACTIVE' ? time(visit, next) : '–',
    failedAttempts === 0 ? '' : badge('bad', `${failedAttempts} / ${maxRetry}`),
    time(visit, createdAt),
  ];
  return { href: visit.link(`/subscriptions/${id}`), cells };
}

const SHOWN_CYCLES = 12;

const detail = dashboardRoute({
  method: 'GET',
  path: '/subscriptions/:id',
  action: 'read',
  async handler(visit) {
    const { say, em, params } = visit;
    const shown = await read(visit, getSubscription, { query: { id: params.id } });
    const id = shown.id as SubscriptionId;
    const [subscription, cycles, workflow, names] = await Promise.all([
      em.findOneOrFail(SubscriptionEntity, { id }, { disableIdentityMap: true }),
      em.find(
        CycleEntity,
        { subscriptionId: id },
        { orderBy: { number: 'desc' }, limit: SHOWN_CYCLES, disableIdentityMap: true },
      ),
      workflowFacts(visit, subscriptionWorkflowId(id)),
      customerNames(visit, [shown.customerId]),
    ]);
    const headings = [
      say('Ciclo', 'Cycle'),
      say('De', 'From'),
      say('Até', 'To'),
      amountHeading(say('Valor', 'Amount')),
      say('Pagamento', 'Payment'),
    ];
    const rows = cycles.map(({ number, startsAt, endsAt, amountCents, paidByChargeId }) => [
      String(number),
      time(visit, startsAt),
      time(visit, endsAt),
      amountCell(amountCents),
      paidByChargeId === null
        ? badge('waiting', say('Não pago', 'Unpaid'))
        : link(visit, `/payments/${paidByChargeId}`, say('Pago', 'Paid')),
    ]);
    const title = say('Ciclos', 'Cycles');
    const body = html`<div class="answer answer--${shown.status === 'ACTIVE' && shown.failedAttempts === 0 ? 'good' : 'bad'}"><p>${standing(visit, shown, subscription)}</p></div>
${section(
  say('Dados', 'Details'),
  facts([
    ['Id', copyChip(visit, id)],
    [
      say('Plano', 'Plan'),
      `${subscription.plan.name} · ${amount(shown.amount)} ${perCycle(shown.frequency, say)}`,
    ],
    ...(shown.pendingUpdate === null
      ? []
      : [
          [
            say('Muda no próximo ciclo para', 'Changes with the next cycle to'),
            amount(shown.pendingUpdate.newAmount),
          ] as const,
        ]),
    [say('Uso a cobrar', 'Usage to be charged'), amount(shown.usage.amount)],
    ...(shown.customerId === null
      ? []
      : [
          [
            say('Cliente', 'Customer'),
            link(visit, `/customers/${shown.customerId}`, names.get(shown.customerId) ?? shown.customerId),
          ] as const,
        ]),
    [say('Começou', 'Began'), time(visit, shown.createdAt)],
    ...workflow,
  ]),
)}
${section(title, table({ caption: title, headings, rows, empty: say('Nenhum ciclo ainda.', 'No cycle yet.') }))}
<p><a href="${visit.link('/payments', { subscriptionId: id })}">${say('Pagamentos e tentativas', 'Payments and attempts')}</a></p>
${shown.status === 'ACTIVE' && visit.can('sell') && (await subscriptionPanels(visit, id))}`;
    return page(visit, {
      title: subscription.plan.name,
      active: 'subscriptions',
      body,
      actions: statusBadge(shown.status, say),
    });
  },
});

/** When the next charge is, or why there is none. */
function standing(visit: Visit, shown: ShownSubscription, { maxRetry }: Subscription): Html {
  const { say } = visit;
  const { nextChargeAt, failedAttempts, canceledAt, cancelledDueTo, amount: cents } = shown;
  if (canceledAt !== null) {
    const why =
      cancelledDueTo === RETRIES_EXCEEDED
        ? say('porque as cobranças falharam', 'as its charges failed')
        : say('a pedido', 'by request');
    return html`${say('Cancelada', 'Cancelled')} ${why}, ${time(visit, canceledAt)}. ${say('Nada mais é cobrado.', 'There are no more charges.')}`;
  }
  const failed =
    failedAttempts === 0
      ? ''
      : say(
          `A cobrança falhou ${failedAttempts} de ${maxRetry} vezes. `,
          `The charge has failed ${failedAttempts} of ${maxRetry} times. `,
        );
  return html`${failed}${say('Próxima cobrança:', 'Next charge:')} ${amount(cents + shown.usage.amount)}${nextChargeAt !== null && html`, ${time(visit, nextChargeAt)}`}.`;
}

export const subscriptionPages: readonly DashboardRoute[] = [
  list,
  detail,
  ...subscriptionForms(detail.handler),
];
