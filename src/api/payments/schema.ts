import { z } from 'zod';
import { CARD_WALLETS } from '../../domain/card.ts';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { DISPUTE_STAGES, DISPUTE_STATUSES, REFUND_STATUSES } from '../../domain/reversal.ts';
import { cardView } from '../../wire/card.ts';
import { customerNamedBy, idText, timestamp } from '../../wire/fields.ts';
import { split } from '../../wire/splits.ts';
import { metadataQuery } from '../frame/metadata-filter.ts';
import { createdRange, fromInstant, toInstant } from '../frame/time-range.ts';

export const PAYMENT_KINDS = ['TRANSPARENT', 'CHECKOUT', 'PAYMENT_LINK', 'SUBSCRIPTION', 'UPSELL'] as const;

const method = z.enum(['PIX', 'BOLETO', 'CARD', 'FREE']);
const status = z.enum(CHARGE_STATUSES);
const cents = (description: string) => z.int().meta({ description: `Cents. ${description}` });
const instantOrNull = (description: string) => timestamp.nullable().meta({ description });

/** A payment of any kind, or an attempt at one (our addition). */
export const paymentView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    kind: z.enum(PAYMENT_KINDS).meta({ description: 'The kind of object that it pays for.' }),
    method: method.meta({ description: '`FREE` if a coupon covered the whole price, or a trial started.' }),
    status,
    amount: cents('The amount to pay, after a coupon, with card fees that the payer pays.'),
    discount: cents('The discount of a coupon.'),
    customerFee: cents('The part of `amount` that is card fees, which the payer pays on top of the price.'),
    paidAmount: z.int().nullable().meta({ description: 'Cents. Late charges included; null while unpaid.' }),
    platformFee: cents('The fee that the platform keeps once it is paid.'),
    splits: z.array(split).optional().meta({
      description: 'The parts that go to sub-accounts once it is paid; absent if the payment is not split.',
    }),
    refundedAmount: cents('Returned to the payer by refunds or a lost dispute.'),
    declineReason: z.string().nullable().meta({
      description: 'Why it is `FAILED`, such as `insufficient_funds` or `pix_expired`.',
    }),
    card: cardView.nullable(),
    wallet: z.enum(CARD_WALLETS).nullable().meta({
      description: 'The wallet of a card payment; null for a card that was typed or stored.',
    }),
    installmentsCount: z.int().nullable().meta({ description: 'For a card payment.' }),
    endToEndIdentifier: z.string().nullable().meta({
      description: "The Central Bank's id of a PIX; null if the provider did not report it.",
    }),
    payer: z
      .object({ name: z.string().nullable(), taxId: z.string().nullable() })
      .nullable()
      .meta({
        description:
          'The payer named by the bank, with the tax id masked. May differ from the payer of the charge and from the customer. ' +
          'Null while unpaid, if the bank named nobody, if the payer was erased, and for a key without `CUSTOMER:READ`.',
      }),
    refunds: z
      .array(
        z.object({
          refundPublicId: z.string(),
          status: z.enum(REFUND_STATUSES),
          amount: z.int(),
          reason: z.string().nullable(),
          createdAt: timestamp,
          updatedAt: timestamp,
        }),
      )
      .meta({ description: 'Newest first. A refund that `FAILED` had no effect.' }),
    dispute: z
      .object({
        status: z.enum(DISPUTE_STATUSES),
        amount: z.int().meta({
          description: 'The disputed amount in cents, at most what refunds had left of the payment.',
        }),
        excessAmount: cents(
          'What the provider took beyond `amount`, as refunds had already returned it; negative if it returned a part of a lost dispute.',
        ),
        reason: z.string().nullable(),
        respondBy: instantOrNull('Until when evidence is accepted; null if the provider names no time.'),
        stage: z.enum(DISPUTE_STAGES).nullable().meta({
          description:
            'Whether it waits for evidence or for the decision; null if decided, or if the provider does not say.',
        }),
        evidenceSubmittedAt: instantOrNull('When evidence was first seen at the provider.'),
        providerFee: cents("The provider's fee for the dispute, less what it returned."),
        openedAt: timestamp,
        closedAt: timestamp.nullable(),
      })
      .nullable()
      .meta({
        description:
          'The newest dispute. An `INQUIRY` is a question of the card’s issuer, and moves no money.',
      }),
    externalId: z.string().nullable().meta({ description: "The charge's own id, or that of its checkout." }),
    description: z.string().nullable(),
    customerId: z.string().nullable(),
    customerNamedBy,
    checkoutId: z
      .string()
      .nullable()
      .meta({ description: 'The checkout, payment link or subscription checkout.' }),
    subscriptionId: z.string().nullable(),
    installmentId: z.string().nullable().meta({ description: 'The cycle of the subscription.' }),
    installmentNumber: z
      .int()
      .nullable()
      .meta({ description: 'The number of the cycle; the first payment is for 1.' }),
    upSellOf: z.string().nullable().meta({ description: 'The payment after which the upsell was bought.' }),
    receiptUrl: z.string().nullable().meta({ description: 'Null while unpaid.' }),
    metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: "The charge's own metadata, or that of its checkout." }),
    expiresAt: timestamp,
    paidAt: instantOrNull('When the payer paid.'),
    settlesAt: instantOrNull('When the money becomes available; null while unpaid.'),
    settledAt: instantOrNull('Null while the money is pending.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Payment' });
export type ShownPayment = z.output<typeof paymentView>;

export const examplePaymentId = 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM';

export const byPaymentId = z.object({ id: idText(examplePaymentId) });

const idFilter = (description: string) => z.string().max(100).optional().meta({ description });

export const listPaymentsQuery = z.object({
  checkoutId: idFilter('The id of a checkout, payment link or subscription checkout.'),
  subscriptionId: idFilter('Its first payment, renewals, failed payments, and upsells of its checkout.'),
  customerId: idFilter('The id of a customer.'),
  externalId: z.string().optional().meta({
    description: 'Matches charges, and the newest 20 checkouts, with this `externalId`.',
  }),
  method: method.optional(),
  status: status.optional(),
  ...createdRange,
  paidFrom: fromInstant('Paid'),
  paidTo: toInstant('Paid'),
  ...metadataQuery,
});
export type ListPaymentsQuery = z.output<typeof listPaymentsQuery>;

/** The example of the API reference. */
export const examplePayment: ShownPayment = {
  id: examplePaymentId,
  devMode: true,
  kind: 'PAYMENT_LINK',
  method: 'CARD',
  status: 'PAID',
  amount: 8_820,
  discount: 980,
  customerFee: 0,
  paidAmount: 8_820,
  platformFee: 369,
  refundedAmount: 0,
  declineReason: null,
  card: { brand: 'visa', lastFour: '4242', expiryMonth: 12, expiryYear: 2027 },
  wallet: null,
  installmentsCount: 1,
  endToEndIdentifier: null,
  payer: null,
  refunds: [],
  dispute: null,
  externalId: 'order-1042',
  description: null,
  customerId: null,
  customerNamedBy: null,
  checkoutId: 'bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  subscriptionId: null,
  installmentId: null,
  installmentNumber: null,
  upSellOf: null,
  receiptUrl: `https://pay.example.com/receipt/${examplePaymentId}`,
  metadata: { orderId: 'A-1042' },
  expiresAt: '2026-12-04T14:25:29.611Z',
  paidAt: '2026-12-04T14:25:30.118Z',
  settlesAt: '2027-01-03T03:00:00.000Z',
  settledAt: null,
  createdAt: '2026-12-04T14:25:29.611Z',
  updatedAt: '2026-12-04T14:25:31.004Z',
};
