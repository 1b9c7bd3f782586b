import { z } from 'zod';
import { barCodeOf, parseDigitableLine } from '../../domain/boleto.ts';
import type { CardWallet } from '../../domain/card.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import type { ProviderPayment, ProviderRefund } from '../ports/payment.ts';
import { ProviderError } from '../provider-error.ts';
import { OWN_REFERENCE, REFERENCE, REFUND_REFERENCE, STRIPE_ID } from './ids.ts';

const id = z.string().regex(STRIPE_ID);
const cents = z.int().nonnegative();
const seconds = z
  .int()
  .nonnegative()
  .transform((value) => new Date(value * 1_000));
const webAddress = z.url({ protocol: /^https?$/ });
const metadata = z.record(z.string(), z.string()).nullish();
/** An object, or its id if it was not expanded. */
const idOf = z.union([id, z.object({ id }).transform((object) => object.id)]);

const refundSchema = z.object({ id, amount: cents, status: z.string().nullish(), metadata });
export type StripeRefund = z.output<typeof refundSchema>;

const chargeSchema = z.object({
  id,
  amount: cents,
  currency: z.literal('brl'),
  status: z.string(),
  captured: z.boolean(),
  created: seconds,
  disputed: z.boolean().nullish(),
  billing_details: z.object({ name: z.string().nullish() }).nullish(),
  payment_method_details: z
    .object({ boleto: z.object({ tax_id: z.string().nullish() }).nullish() })
    .nullish(),
  refunds: z.object({ data: z.array(z.unknown()), has_more: z.boolean() }).nullish(),
});
export type StripeCharge = z.output<typeof chargeSchema>;

const intentSchema = z.object({
  id,
  status: z.string(),
  metadata,
  cancellation_reason: z.string().nullish(),
  latest_charge: z.union([id, chargeSchema]).nullish(),
  livemode: z.boolean().nullish(),
  next_action: z
    .object({
      redirect_to_url: z.object({ url: webAddress }).nullish(),
      boleto_display_details: z
        .object({
          number: z.string(),
          expires_at: seconds.nullish(),
          hosted_voucher_url: webAddress.nullish(),
          pdf: webAddress.nullish(),
        })
        .nullish(),
    })
    .nullish(),
  last_payment_error: z
    .object({
      code: z.string().nullish(),
      decline_code: z.string().nullish(),
      network_decline_code: z.string().nullish(),
    })
    .nullish(),
});
export type StripeIntent = z.output<typeof intentSchema>;

const setupIntentSchema = z.object({
  id,
  status: z.string(),
  next_action: z.object({ redirect_to_url: z.object({ url: webAddress }).nullish() }).nullish(),
  last_setup_error: z.object({ code: z.string().nullish(), decline_code: z.string().nullish() }).nullish(),
});
export type StripeSetupIntent = z.output<typeof setupIntentSchema>;

const listedChargeSchema = chargeSchema.extend({
  payment_intent: z.union([id, z.object({ id, metadata })]).nullish(),
});

const disputeSchema = z.object({
  id,
  amount: cents,
  status: z.string(),
  reason: z.string().nullish(),
  payment_intent: z.union([id, z.object({ id, metadata })]).nullish(),
  metadata,
  evidence_details: z.object({ due_by: seconds.nullish(), submission_count: z.int().nullish() }).nullish(),
  // Withdrawn or reinstated money, each with the fee that Stripe charged or returned.
  balance_transactions: z
    .array(z.object({ id, amount: z.int(), fee: z.int(), currency: z.string() }))
    .nullish(),
});
export type StripeDispute = z.output<typeof disputeSchema>;

const methodSchema = z.object({
  id,
  customer: idOf.nullish(),
  card: z
    .object({
      brand: z.string().max(50),
      last4: z.string().regex(/^\d{4}$/),
      exp_month: z.int().min(1).max(12),
      exp_year: z.int().min(2000).max(2999),
      wallet: z.object({ type: z.string() }).nullish(),
    })
    .nullish(),
});

/** The charge, refund or dispute of a balance transaction. */
const movedSchema = z.object({ payment_intent: idOf.nullish(), metadata });
const balanceTransactionSchema = z.object({
  id,
  amount: z.int(),
  fee: z.int(),
  currency: z.literal('brl'),
  reporting_category: z.string(),
  source: z.union([id, movedSchema]).nullish(),
});
export type StripeBalanceTransaction = z.output<typeof balanceTransactionSchema>;
const payoutSchema = z.object({
  id,
  amount: z.int(),
  currency: z.literal('brl'),
  status: z.string(),
  arrival_date: seconds,
});

const walletStateSchema = z.object({
  status: z.string(),
  status_details: z.object({ error_message: z.string().max(500) }).nullish(),
});
const domainSchema = z.object({
  id,
  enabled: z.boolean(),
  apple_pay: walletStateSchema.nullish(),
  google_pay: walletStateSchema.nullish(),
});
export type StripeDomain = z.output<typeof domainSchema>;

const listSchema = z.object({ data: z.array(z.unknown()), has_more: z.boolean() });

/** @throws ProviderError RETRY if the answer is not what it should be: it says nothing about the effect. */
function readerOf<Schema extends z.ZodType>(what: string, schema: Schema) {
  return (body: unknown): z.output<Schema> => {
    const { success, data, error } = schema.safeParse(body);
    if (success) return data;
    const where = error.issues[0]?.path.join('.') ?? '';
    throw new ProviderError('RETRY', `Stripe's answer is no ${what}: ${where} cannot be read`);
  };
}

export const readIntent = readerOf('payment intent', intentSchema);
export const readSetupIntent = readerOf('setup intent', setupIntentSchema);
export const readCharge = readerOf('charge', chargeSchema);
export const readListedCharge = readerOf('charge', listedChargeSchema);
export const readRefund = readerOf('refund', refundSchema);
export const readDispute = readerOf('dispute', disputeSchema);
export const readFile = readerOf('file', z.object({ id }));
export const readMethod = readerOf('payment method', methodSchema);
export const readCustomer = readerOf('customer', z.object({ id, metadata }));
export const readStoredCustomer = readerOf(
  'customer',
  z.object({ id, metadata, deleted: z.boolean().optional() }),
);
export const readBalanceTransaction = readerOf('balance transaction', balanceTransactionSchema);
export const readPayout = readerOf('payout', payoutSchema);
export const readDomain = readerOf('payment method domain', domainSchema);
export const readList = readerOf('list', listSchema);
export const readEndpoint = readerOf(
  'webhook endpoint',
  z.object({ id, url: z.string(), secret: z.string().nullish() }),
);

/** A card's expiry as `YYYY-MM`. */
export function expiryMonthIn(card: { readonly exp_month: number; readonly exp_year: number }): string {
  return `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`;
}

const WALLETS: Readonly<Record<string, CardWallet>> = { apple_pay: 'APPLE_PAY', google_pay: 'GOOGLE_PAY' };

/** The wallet that gave a card; null for a typed card, and for wallets that checkouts do not offer. */
export function walletIn(card: { readonly wallet?: { readonly type: string } | null | undefined }) {
  return WALLETS[card.wallet?.type ?? ''] ?? null;
}

/** The charge's reference; null if Recebe did not create the object. */
export function referenceIn(object: { readonly metadata?: z.output<typeof metadata> }): string | null {
  const reference = object.metadata?.[REFERENCE];
  return reference !== undefined && OWN_REFERENCE.test(reference) ? reference : null;
}

/** The id of a listed object that could not be read; a fixed text if it has none. */
export function idOfUnreadable(object: unknown): string {
  return z.object({ id }).safeParse(object).data?.id ?? 'without-id';
}

/** Whether a charge holds money of the payer. */
export function isPaid({ status, captured }: StripeCharge): boolean {
  return status === 'succeeded' && captured;
}

/** What Stripe received for an intent. @param charge a paid one. */
export function paymentOf(
  charge: StripeCharge,
  intent: { readonly id: string; readonly reference: string },
  refunds: readonly StripeRefund[],
): ProviderPayment {
  return {
    providerPaymentId: intent.id,
    reference: intent.reference,
    amountCents: charge.amount,
    paidAt: charge.created,
    payer: { name: charge.billing_details?.name ?? null, taxId: taxIdOf(charge) },
    refunds: refunds.map(refundOf),
  };
}

/** Only boletos have one. */
function taxIdOf({ payment_method_details: details }: StripeCharge): string | null {
  return parseTaxId(details?.boleto?.tax_id ?? '')?.bare ?? null;
}

/**
 * The bar code behind a voucher's number, which is a digitable line. Stripe's test mode has numbers without right check
 * digits, which no bank accepts.
 * @throws ProviderError RETRY for any other number that a payer could not pay.
 */
export function barCodeOfVoucher(number: string, isLive: boolean | null | undefined): string {
  const line = number.replace(/\D/g, '');
  if (line.length === 47 && (isLive === false || parseDigitableLine(line) !== null)) return barCodeOf(line);
  throw new ProviderError('RETRY', 'the number of the boleto cannot be read');
}

/** Money on its way back counts as PENDING under any status that this release does not know. */
export function refundStatusOf({ status }: StripeRefund): ProviderRefund['status'] {
  if (status === 'succeeded') return 'RETURNED';
  return status === 'failed' || status === 'canceled' ? 'REFUSED' : 'PENDING';
}

function refundOf(refund: StripeRefund): ProviderRefund {
  return {
    reference: refund.metadata?.[REFUND_REFERENCE] ?? refund.id,
    amountCents: refund.amount,
    status: refundStatusOf(refund),
    kind: 'ORDINARY',
  };
}
