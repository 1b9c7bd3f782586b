import { listCustomers } from '../../../api/customers/routes.ts';
import type { CustomerView } from '../../../api/customers/schema.ts';
import { listSubscriptions } from '../../../api/subscriptions/routes.ts';
import { customerNames } from '../../../customers/find-customers.ts';
import type { Subscription } from '../../../database/entities/subscription.ts';
import { maskTaxId } from '../../../domain/tax-id.ts';
import { subscriptionsById } from '../../../subscriptions/subscription-facts.ts';
import { perCycle, statusName } from '../words.ts';
import { seesTaxIds } from './payments-sheet.ts';
import { type Column, sheet } from './sheet.ts';

const CREATED = ['createdFrom', 'createdTo'] as const;

export const customersSheet = sheet<CustomerView, CustomerView>({
  id: 'customers',
  name: ['Clientes', 'Customers'],
  file: ['clientes', 'customers'],
  operation: listCustomers,
  days: CREATED,
  dated: ['cadastrados', 'created'],
  rows: async (_, items) => items,
  columns: (visit) => [
    { heading: ['Nome', 'Name'], value: ({ name }) => name },
    {
      heading: ['CPF ou CNPJ', 'Tax id'],
      value: ({ taxId }) =>
        taxId === '' || seesTaxIds(visit) ? taxId : maskTaxId(taxId.replace(/[./-]/g, '')),
    },
    { heading: ['E-mail', 'E-mail'], value: ({ email }) => email },
    { heading: ['Telefone', 'Phone'], value: ({ cellphone }) => cellphone },
    { heading: ['CEP', 'Postal code'], value: ({ zipCode }) => zipCode },
    { heading: ['Cadastrado em', 'Created at'], value: ({ createdAt }) => ({ at: createdAt }) },
    { heading: ['Id do cliente', 'Customer id'], value: ({ id }) => id },
  ],
});

interface SubscriptionRow {
  readonly subscription: Subscription;
  readonly customerName: string | null;
}

const SUBSCRIPTION_COLUMNS: readonly Column<SubscriptionRow>[] = [
  { heading: ['Plano', 'Plan'], value: ({ subscription }) => subscription.plan.name },
  { heading: ['Cliente', 'Customer'], value: ({ customerName }) => customerName },
  { heading: ['Valor', 'Amount'], value: ({ subscription }) => ({ cents: subscription.amountCents }) },
  { heading: ['Ciclo', 'Cycle'], value: ({ subscription }, say) => perCycle(subscription.cycle, say) },
  { heading: ['Situação', 'Status'], value: ({ subscription }, say) => statusName(subscription.status, say) },
  {
    heading: ['Próxima cobrança', 'Next charge'],
    value: ({ subscription: { status, attemptDueAt, cycleEndsAt } }) => ({
      at: status === 'ACTIVE' ? (attemptDueAt ?? cycleEndsAt) : null,
    }),
  },
  { heading: ['Falhas', 'Failures'], value: ({ subscription }) => subscription.failedAttempts },
  { heading: ['Começou em', 'Began at'], value: ({ subscription }) => ({ at: subscription.createdAt }) },
  {
    heading: ['Cancelada em', 'Cancelled at'],
    value: ({ subscription }) => ({ at: subscription.canceledAt }),
  },
  { heading: ['Id da assinatura', 'Subscription id'], value: ({ subscription }) => subscription.id },
];

/** Checkouts without a first payment have no subscription yet, and are left out. */
export const subscriptionsSheet = sheet({
  id: 'subscriptions',
  name: ['Assinaturas', 'Subscriptions'],
  file: ['assinaturas', 'subscriptions'],
  operation: listSubscriptions,
  days: CREATED,
  dated: ['criadas', 'created'],
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
