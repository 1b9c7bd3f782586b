import { validated } from '../../../api/frame/validation.ts';
import { subscriptionsBy } from '../../../api/subscriptions/list-by-state.ts';
import { listSubscriptions } from '../../../api/subscriptions/routes.ts';
import { listSubscriptionsQuery } from '../../../api/subscriptions/schema.ts';
import { customerNames, customerSearchOf, findCustomerIds } from '../../../customers/find-customers.ts';
import type { Subscription } from '../../../database/entities/subscription.ts';
import type { CustomerId } from '../../../domain/ids.ts';
import { nextChargeAtOf, SUBSCRIPTION_STATES, type SubscriptionState } from '../../../domain/subscription.ts';
import { textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { subscriptionsSheet } from '../exports/people-sheets.ts';
import { day, guideLink, time } from '../frame/components.ts';
import { dashboardRoute } from '../frame/route.ts';
import { emptyState, type Heading, type LinkedRow } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { choice, dayFields, listPage, sortHeading } from '../lists/list-page.ts';
import { amountCell, amountHeading, perCycle } from '../words.ts';
import { chargedTo, stateBadge, stateName, troubleText } from './words.ts';

/** A search finds the subscriptions of so many customers. */
const MOST_CUSTOMERS = 50;

/** Who is charged for what, how it stands, and why if it does not. */
export const subscriptionList = dashboardRoute({
  method: 'GET',
  path: '/subscriptions',
  action: 'read',
  async handler(visit) {
    const { say, em, caller } = visit;
    const filter = await filterOf(visit);
    return listPage(visit, {
      title: say('dashboard.subscriptions'),
      active: 'subscriptions',
      operation: listSubscriptions,
      page: (query) => subscriptionsBy(em, caller, filter, query),
      // The file has no filter by state or text.
      ...(filter.state === null && !visit.query.get('q') && { sheet: subscriptionsSheet }),
      parameters: ['createdFrom', 'createdTo', 'customerId'],
      fields: fieldsOf(visit),
      headings: headingsOf(visit),
      rows: (items) => rowsOf(visit, items),
      empty: emptyState({
        icon: 'repeat',
        title:
          visit.query.size === 0
            ? say('dashboard.subscriptions.noSubscriptionsYet')
            : say('dashboard.subscriptions.noSubscriptionsWithTheseFilters'),
        text: say('dashboard.subscriptions.aSubscriptionStartsWhenSomeone'),
        action: guideLink(visit, 'subscriptions', say('dashboard.subscriptions.howToSellSubscriptions')),
      }),
    });
  },
});

async function filterOf({ em, caller, query }: Visit) {
  const asked = ['createdFrom', 'createdTo'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  const { createdFrom, createdTo } = validated(listSubscriptionsQuery, Object.fromEntries(asked));
  const state = SUBSCRIPTION_STATES.find((each) => each === query.get('state')) ?? null;
  const [text, customerId] = [query.get('q')?.trim() ?? '', query.get('customerId')];
  const found =
    text === '' ? null : await findCustomerIds(em, caller, customerSearchOf(text), MOST_CUSTOMERS);
  const customerIds = found ?? (customerId ? [customerId as CustomerId] : null);
  return { state, customerIds, createdFrom, createdTo };
}

function fieldsOf(visit: Visit): Html {
  const { say, query } = visit;
  const states = SUBSCRIPTION_STATES.map(
    (state: SubscriptionState) => [state, stateName(state, say)] as const,
  );
  return html`${textField({
    name: 'q',
    label: say('dashboard.subscriptions.customer'),
    required: false,
    value: query.get('q') ?? '',
  })}${choice(visit, { name: 'state', label: say('dashboard.state2'), options: states })}${dayFields(visit)}`;
}

function headingsOf(visit: Visit): Heading[] {
  const { say } = visit;
  return [
    say('dashboard.customer'),
    say('dashboard.plan'),
    say('dashboard.state2'),
    say('dashboard.nextCharge'),
    amountHeading(say('dashboard.amount')),
    say('dashboard.chargedTo'),
    sortHeading(visit, say('dashboard.began')),
  ];
}

async function rowsOf(visit: Visit, items: readonly Subscription[]): Promise<LinkedRow[]> {
  const { em, caller } = visit;
  const ids = items.map(({ customerId }) => customerId);
  const names = await customerNames(em, caller, ids);
  return items.map((item) => rowOf(visit, item, names.get(item.customerId ?? '') ?? null));
}

/** @param customerName null if it is not known. */
export function rowOf(visit: Visit, subscription: Subscription, customerName: string | null): LinkedRow {
  const { say, storeNow } = visit;
  const { id, plan, amountCents, cycle, createdAt } = subscription;
  const trouble = troubleText(subscription, say);
  const next = nextChargeAtOf(subscription, storeNow);
  return {
    href: visit.link(`/subscriptions/${id}`),
    cells: [
      customerName ?? say('dashboard.subscriptions.noName'),
      plan.name,
      html`${stateBadge(subscription, say)}${trouble !== null && html`<div class="soft">${trouble}</div>`}`,
      next === null ? '–' : day(visit, next),
      html`${amountCell(amountCents)}<span class="amount soft">${perCycle(cycle, say)}</span>`,
      chargedTo(subscription, say),
      time(visit, createdAt),
    ],
  };
}
