import { productsOfPayments } from '../../../api/payments/product-names.ts';
import type { ShownPayment } from '../../../api/payments/schema.ts';
import { customerNames } from '../../../customers/find-customers.ts';
import { time } from '../frame/components.ts';
import type { Heading, LinkedRow } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amountCell, amountHeading, kindName, methodName, paymentBadge } from '../words.ts';

/** The columns of every list of payments. @param created the heading of the date, which may turn the list around. */
export function headingsOf({ say }: Visit, created: Heading): Heading[] {
  return [
    created,
    amountHeading(say('dashboard.amount')),
    say('dashboard.status'),
    say('dashboard.method'),
    say('dashboard.customer'),
    say('dashboard.products'),
  ];
}

/** The customer, or else the payer whom the bank named. */
export async function rowsOf(visit: Visit, items: readonly ShownPayment[]): Promise<LinkedRow[]> {
  const { em, caller } = visit;
  const [names, products] = await Promise.all([
    customerNames(
      em,
      caller,
      items.map(({ customerId }) => customerId),
    ),
    productsOfPayments(
      em,
      caller,
      items.map(({ id }) => id),
    ),
  ]);
  return items.map((item) => {
    const payer = [item.payer?.name, item.payer?.taxId].filter(Boolean).join(' · ');
    return rowOf(visit, item, {
      customer: names.get(item.customerId ?? '') ?? payer,
      products:
        products.get(item.id) ?? item.description ?? item.externalId ?? kindName(item.kind, visit.say),
    });
  });
}

function rowOf(
  visit: Visit,
  item: ShownPayment,
  { customer, products }: { readonly customer: string; readonly products: string },
): LinkedRow {
  const { say } = visit;
  return {
    href: visit.link(`/payments/${item.id}`),
    cells: [
      time(visit, item.createdAt),
      amountCell(item.paidAmount ?? item.amount),
      paymentBadge(item, say),
      item.card?.lastFour
        ? `${methodName(item.wallet ?? item.method, say)} •••• ${item.card.lastFour}`
        : methodName(item.method, say),
      customer,
      products,
    ],
  };
}
