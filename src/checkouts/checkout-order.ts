import type { BoletoRefusal } from '../charges/boleto-limits.ts';
import { beneficiaryOf, type ChargeOrder } from '../charges/new-charge.ts';
import { orderedId } from '../charges/ordered-id.ts';
import { personalNumbersOf } from '../database/encryption/sealed-text.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeMethod } from '../domain/charge.ts';
import { CHECKOUT_PIX_EXPIRY_SECONDS } from '../domain/charge-deadlines.ts';
import type { Payer, PayerAddress } from '../domain/payer.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import type { CheckoutDeps } from './payment-deps.ts';
import { PaymentRefusal, type PaymentRefusalReason } from './payment-refusal.ts';

/** The input of every charge of a checkout, whatever its method. */
export type CheckoutOrder = Omit<ChargeOrder<ChargeMethod>, 'method' | 'terms'>;

/** An order for this amount by the checkout's payer. @param submissionKey the same key is the same charge. */
export function orderOf(
  { config, database }: CheckoutDeps,
  em: Em,
  { id, storeId, devMode }: Checkout,
  submissionKey: string,
  payer: Payer & { readonly address?: PayerAddress | null },
  provider: PaymentProvider,
  amountCents: number,
  now: Date,
): CheckoutOrder {
  // The charge's id is derived from it, and a tax id could be guessed from that id.
  const taxId = payer.taxId === null ? '' : personalNumbersOf(em).fingerprint(payer.taxId);
  const sameAs = [id, submissionKey, String(amountCents), payer.name ?? '', taxId];
  return {
    storeId,
    devMode,
    amountCents,
    description: null,
    beneficiary: () => beneficiaryOf(em, storeId),
    payer,
    provider,
    platformFees: config.platformFee,
    idOf: orderedId({ database, devMode, provider, sameAs, now }),
    beyondLimits: ([refusal]) => new PaymentRefusal(refusal ? reasonOf(refusal) : 'METHOD_NOT_POSSIBLE'),
    nobodyToPay: () => new PaymentRefusal('STORE_WITHOUT_TAX_ID'),
    now,
  };
}

/** A payer cannot change the terms that the merchant set: the method is then not possible. */
function reasonOf({ limit }: BoletoRefusal): PaymentRefusalReason {
  return limit === 'DUE_DATE_OUT_OF_RANGE' || limit === 'LATE_CHARGES_NOT_POSSIBLE'
    ? 'METHOD_NOT_POSSIBLE'
    : limit;
}

/** The columns of a charge that refer to its checkout. */
export function ofCheckout({ id }: Checkout, submissionKey: string) {
  return { checkoutId: id, submissionKey };
}

/** A PIX code expires with its checkout at the latest. */
export function pixTermsOf({ expiresAt }: Pick<Checkout, 'expiresAt'>, now: Date) {
  const secondsLeft = expiresAt === null ? Infinity : (expiresAt.getTime() - now.getTime()) / 1_000;
  return { expiresInSeconds: Math.min(CHECKOUT_PIX_EXPIRY_SECONDS, Math.max(1, secondsLeft)) };
}
