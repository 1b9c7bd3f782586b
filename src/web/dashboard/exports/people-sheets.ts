import { listCustomers } from '../../../api/customers/routes.ts';
import type { CustomerView } from '../../../api/customers/schema.ts';
import { listSubscriptions } from '../../../api/subscriptions/routes.ts';
import { customerNames } from '../../../customers/find-customers.ts';
import type { Subscription } from '../../../database/entities/subscription.ts';
import { itemsText } from '../../../domain/checkout.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { nextChargeAtOf, subscriptionStateOf } from '../../../domain/subscription.ts';
import { subscriptionsById } from '../../../subscriptions/subscription-facts.ts';
import { masked } from '../customers/masked.ts';
import { stateName } from '../subscriptions/words.ts';
import { perCycle } from '../words.ts';
import { type Column, sheet } from './sheet.ts';

const CREATED = ['createdFrom', 'createdTo'] as const;

export const customersSheet = sheet<CustomerView, CustomerView>({
  id: 'customers',
  name: 'dashboard.customers',
  file: 'dashboard.exports.customers',
  operation: listCustomers,
  days: CREATED,
  dated: 'dashboard.exports.created3',
  rows: async (_, items) => items,
  columns: (visit) => [
    { heading: 'dashboard.name', value: ({ name }) => name },
    {
      heading: 'dashboard.taxId',
      value: ({ taxId }) => (seesTaxIds(visit.role) ? taxId : masked(taxId)),
    },
    { heading: 'dashboard.eMail', value: ({ email }) => email },
    { heading: 'dashboard.phone', value: ({ cellphone }) => cellphone },
    { heading: 'dashboard.exports.postalCode', value: ({ zipCode }) => zipCode },
    { heading: 'dashboard.exports.createdAt', value: ({ createdAt }) => ({ at: createdAt }) },
    { heading: 'dashboard.exports.customerId', value: ({ id }) => id },
  ],
});

interface SubscriptionRow {
  readonly subscription: Subscription;
  readonly customerName: string | null;
}

const SUBSCRIPTION_COLUMNS: readonly Column<SubscriptionRow>[] = [
  { heading: 'dashboard.plan', value: ({ subscription }) => subscription.plan.name },
  { heading: 'dashboard.addOns', value: ({ subscription }) => itemsText(subscription.plan.addOns ?? []) },
  { heading: 'dashboard.customer', value: ({ customerName }) => customerName },
  { heading: 'dashboard.amount', value: ({ subscription }) => ({ cents: subscription.amountCents }) },
  { heading: 'dashboard.cycle', value: ({ subscription }, say) => perCycle(subscription.cycle, say) },
  {
    heading: 'dashboard.state2',
    value: ({ subscription }, say) => stateName(subscriptionStateOf(subscription), say),
  },
  {
    heading: 'dashboard.nextCharge',
    // An attempt that is under way counts, however long ago it began.
    value: ({ subscription }) => ({ at: nextChargeAtOf(subscription, new Date(0)) }),
  },
  {
    heading: 'dashboard.exports.subscriptionColumns.heading',
    value: ({ subscription }) => subscription.failedAttempts,
  },
  { heading: 'dashboard.exports.beganAt', value: ({ subscription }) => ({ at: subscription.createdAt }) },
  {
    heading: 'dashboard.exports.cancelledAt',
    value: ({ subscription }) => ({ at: subscription.canceledAt }),
  },
  { heading: 'dashboard.exports.subscriptionId', value: ({ subscription }) => subscription.id },
];

/** Checkouts without a first payment have no subscription yet, and are left out. */
export const subscriptionsSheet = sheet({
  id: 'subscriptions',
  name: 'dashboard.subscriptions',
  file: 'dashboard.exports.subscriptions',
  operation: listSubscriptions,
  days: CREATED,
  dated: 'dashboard.exports.created2',
  async rows(visit, items): Promise<readonly SubscriptionRow[]> {
    const ids = items.map(({ subscriptionId }) => subscriptionId);
    const found = await subscriptionsById(visit.em, visit.caller, ids);
    const names = await customerNames(
      visit.em,
      visit.caller,
      items.map(({ customerId }) => customerId),
    );
    return items.flatMap(({ subscriptionId, customerId }) => {
      const subscription = found.get(subscriptionId ?? '');
      const customerName = names.get(customerId ?? '') ?? null;
      return subscription === undefined ? [] : [{ subscription, customerName }];
    });
  },
  columns: () => SUBSCRIPTION_COLUMNS,
});
