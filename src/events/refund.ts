import { z } from 'zod';
import type { Charge } from '../database/entities/charge.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { Refund } from '../database/entities/refund.ts';
import { REFUND_REFUSALS, type RefundRefusal } from '../domain/reversal.ts';
import { amountCents, timestamp } from '../wire/fields.ts';
import { type ChargedCycle, chargedCycle, publishedCycle } from './charged-cycle.ts';
import { defineEvent } from './definition.ts';
import { eventCustomer, exampleCustomer, publishedCustomer, reason } from './parties.ts';
import { payment, publishedPaymentOf } from './subscription/objects.ts';

const refund = z
  .strictObject({
    id: z.string().meta({ description: 'The `refundPublicId` of the request.' }),
    devMode: z.boolean(),
    amount: amountCents,
    reason,
    refusal: z.enum(REFUND_REFUSALS).meta({ description: 'Why the refund failed.' }),
    checkoutId: z
      .string()
      .nullable()
      .meta({ description: 'The checkout through which it was paid; otherwise null.' }),
    ...chargedCycle,
    createdAt: timestamp,
  })
  .meta({ id: 'EventFailedRefund' });

const data = z.strictObject({ refund, payment, customer: eventCustomer });

const refundRequest = z
  .strictObject({
    devMode: z.boolean(),
    amount: amountCents.meta({ description: 'Cents: what earlier refunds have left of the payment.' }),
    checkoutId: z
      .string()
      .nullable()
      .meta({ description: 'The checkout through which it was paid; otherwise null.' }),
    ...chargedCycle,
    requestedAt: timestamp,
  })
  .meta({ id: 'EventRefundRequest' });

const requestData = z.strictObject({ refundRequest, payment, customer: eventCustomer });

/** The `data` of `refund.failed`. @param cycle the cycle of a subscription that the charge is for. */
export function failedRefundEventData(
  { id, devMode, amountCents: amount, reason: why, createdAt }: Refund,
  refusal: RefundRefusal,
  charge: Charge,
  customer: Customer | null,
  publicUrl: string,
  cycle: ChargedCycle | null,
): z.output<typeof data> {
  const { checkoutId } = charge;
  return {
    refund: {
      id,
      devMode,
      amount,
      reason: why,
      refusal,
      checkoutId,
      ...publishedCycle(cycle),
      createdAt: createdAt.toISOString(),
    },
    payment: publishedPaymentOf(charge, {}, publicUrl),
    customer: publishedCustomer(customer),
  };
}

/** The `data` of `refund.requested`. @param request.requestedAt by the store's clock. */
export function refundRequestEventData(
  charge: Charge,
  customer: Customer | null,
  request: {
    readonly cycle: ChargedCycle | null;
    readonly requestedAt: Date;
    readonly publicUrl: string;
  },
): z.output<typeof requestData> {
  return {
    refundRequest: {
      devMode: charge.devMode,
      amount: (charge.paidAmountCents ?? charge.amountCents) - charge.reversedCents,
      checkoutId: charge.checkoutId,
      ...publishedCycle(request.cycle),
      requestedAt: request.requestedAt.toISOString(),
    },
    payment: publishedPaymentOf(charge, {}, request.publicUrl),
    customer: publishedCustomer(customer),
  };
}

const chargeId = 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';

const examplePayment: z.output<typeof payment> = {
  id: chargeId,
  devMode: true,
  externalId: 'order-1042',
  amount: 25_000,
  paidAmount: 25_000,
  platformFee: 80,
  status: 'PAID',
  methods: ['PIX'],
  receiptUrl: `https://pay.example.com/receipt/${chargeId}`,
  metadata: {},
  createdAt: '2026-12-04T14:22:08.120Z',
  updatedAt: '2026-12-04T14:23:41.377Z',
};

/**
 * Events of refunds themselves: our addition. A completed refund is published by the events of its payment.
 */
export const refundEvents = {
  'refund.failed': defineEvent(
    'A refund failed and had no effect; you can request another one. Our addition',
    data,
    {
      refund: {
        id: 'tran_01KAK5C3D4E5F6G7H8J9K0M1N2',
        devMode: true,
        amount: 25_000,
        reason: 'Pedido cancelado',
        refusal: 'INSUFFICIENT_FUNDS',
        checkoutId: null,
        installmentId: null,
        installmentNumber: null,
        createdAt: '2026-12-07T10:05:12.904Z',
      },
      payment: examplePayment,
      customer: exampleCustomer,
    },
  ),
  'refund.requested': defineEvent(
    'A customer asks for a refund in the customer portal, which the store can allow. Nothing was refunded: the store refunds the payment or declines. Our addition',
    requestData,
    {
      refundRequest: {
        devMode: true,
        amount: 25_000,
        checkoutId: null,
        installmentId: null,
        installmentNumber: null,
        requestedAt: '2026-12-07T10:05:12.904Z',
      },
      payment: examplePayment,
      customer: exampleCustomer,
    },
  ),
};
