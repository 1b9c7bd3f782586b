import { z } from 'zod';
import { CHARGE_STATUSES } from '../domain/charge.ts';
import { amountCents, timestamp } from '../wire/fields.ts';
import { eventDocument } from './document.ts';
import { eventCustomer, exampleCustomer, examplePixPayer, payerInformation, reason } from './parties.ts';

const transparent = z.strictObject({
  id: z.string(),
  externalId: z.string().nullable(),
  amount: amountCents,
  paidAmount: z.int().nullable().meta({ description: 'What was paid, late charges included.' }),
  platformFee: z.int().meta({ description: 'Cents.' }),
  status: z.enum(CHARGE_STATUSES),
  frequency: z.literal('ONE_TIME'),
  devMode: z.boolean(),
  customerId: z.string().nullable(),
  methods: z.array(z.enum(['PIX', 'BOLETO'])),
  receiptUrl: z.string(),
  metadata: z.record(z.string(), z.unknown()).meta({ description: 'As it was given with the charge.' }),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const data = z.strictObject({ transparent, customer: eventCustomer, payerInformation });
const dataWithReason = data.extend({ reason });

const id = 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';

const paid = {
  transparent: {
    id,
    externalId: 'order-1042',
    amount: 25_000,
    paidAmount: 25_000,
    platformFee: 80,
    status: 'PAID' as z.output<typeof transparent>['status'],
    frequency: 'ONE_TIME' as const,
    devMode: true,
    customerId: exampleCustomer.id,
    methods: ['PIX' as const],
    receiptUrl: `https://pay.example.com/receipt/${id}`,
    metadata: { orderId: 'A-1042' },
    createdAt: '2026-12-04T14:22:08.120Z',
    updatedAt: '2026-12-04T14:23:41.377Z',
  },
  customer: exampleCustomer,
  payerInformation: examplePixPayer,
};

/** The same charge later on. */
function reversed(status: 'REFUNDED' | 'UNDER_DISPUTE', reason: string) {
  const updatedAt = '2026-12-07T10:05:12.904Z';
  return { ...paid, transparent: { ...paid.transparent, status, updatedAt }, reason };
}

/** PIX charges and boletos of `/transparents` (contract section 7). */
export const transparentEvents = [
  eventDocument('transparent.completed', 'A PIX charge or boleto was paid', data, paid),
  eventDocument(
    'transparent.refunded',
    'A PIX charge was refunded',
    dataWithReason,
    reversed('REFUNDED', 'Pedido cancelado'),
  ),
  eventDocument(
    'transparent.disputed',
    'The payer disputes the payment of a charge; its amount is blocked',
    dataWithReason,
    reversed('UNDER_DISPUTE', 'Não reconheço a compra'),
  ),
  eventDocument(
    'transparent.lost',
    'A dispute was lost; the amount has gone back to the payer',
    dataWithReason,
    reversed('REFUNDED', 'Não reconheço a compra'),
  ),
];
