import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type {
  ChargeId,
  CheckoutId,
  CustomerId,
  CycleId,
  InvoiceId,
  StoreId,
  SubscriptionId,
} from '../../domain/ids.ts';
import type { InvoiceLine, InvoicePeriod, InvoiceStatus } from '../../domain/invoice.ts';

/**
 * An invoice: of a subscription's cycle from its opening on, or of a payment of a checkout. The transaction that opens, pays or
 * gives up writes its status. It is numbered shortly after (`src/invoices/issue-invoices.ts`); until then nobody sees it.
 *
 * It has no copy of the payer: a charge keeps its payer as given, until the person is erased (decision 12).
 */
export const InvoiceEntity = defineEntity({
  name: 'Invoice',
  tableName: 'invoices',
  properties: {
    id: p.text().$type<InvoiceId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    status: p.text().$type<InvoiceStatus>(),
    /** The year in São Paulo in which it was created; null until it is numbered, as the next three. */
    numberYear: p.smallint().strictNullable(),
    /** Counts within the store, environment and year from 1, without gaps. */
    numberInYear: p.integer().strictNullable(),
    /** The store as it was then. */
    sellerName: p.text().strictNullable(),
    sellerTaxId: p.text().strictNullable(),
    checkoutId: p.text().$type<CheckoutId>(),
    subscriptionId: p.text().$type<SubscriptionId>().strictNullable(),
    /** The cycle that it is for; null for other payments. */
    cycleId: p.text().$type<CycleId>().name('installment_id').strictNullable(),
    /** The charge that has paid it; null until then. */
    chargeId: p.text().$type<ChargeId>().strictNullable(),
    customerId: p.text().$type<CustomerId>().strictNullable(),
    lines: p.json().columnType('json').$type<readonly InvoiceLine[]>(),
    /** The sum of the lines. */
    amountCents: p.bigint('number'),
    period: p.json().columnType('json').$type<InvoicePeriod>().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    paidAt: p.datetime().strictNullable(),
    voidedAt: p.datetime().strictNullable(),
    /** The status that was published last; null until it is numbered. */
    publishedStatus: p.text().$type<InvoiceStatus>().strictNullable(),
  },
});
export type Invoice = InferEntity<typeof InvoiceEntity>;

/** The initial values of every new invoice. */
export const NEW_INVOICE = {
  numberYear: null,
  numberInYear: null,
  sellerName: null,
  sellerTaxId: null,
  subscriptionId: null,
  cycleId: null,
  chargeId: null,
  period: null,
  paidAt: null,
  voidedAt: null,
  publishedStatus: null,
} as const satisfies Partial<Invoice>;
