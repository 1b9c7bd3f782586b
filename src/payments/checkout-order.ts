import { beneficiaryOf, type ChargeOrder } from '../charges/new-charge.ts';
import { orderedId } from '../charges/ordered-id.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Em } from '../database/orm.ts';
import { personalNumbersOf } from '../database/sealed-text.ts';
import type { ChargeMethod } from '../domain/charge.ts';
import type { Payer } from '../domain/payer.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import type { CheckoutDeps } from './payment-deps.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/** A payer has this long to pay a PIX code of a page, and a coupon is held for them no longer. */
const PIX_WINDOW_SECONDS = 30 * 60;

/** What every charge of a checkout is ordered with, however it is paid. */
export type CheckoutOrder = Omit<ChargeOrder<ChargeMethod>, 'method' | 'terms'>;

/** An order of so much by the payer of this checkout. @param submissionKey what is sent twice with it is one charge. */
export function orderOf(
  { config, database }: CheckoutDeps,
  em: Em,
  { id, storeId, devMode }: Checkout,
  submissionKey: string,
  payer: Payer,
  provider: PaymentProvider,
  amountCents: number,
  now: Date,
): CheckoutOrder {
  // The id of a charge follows from it, and a tax id could be guessed from the id.
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
    tooLittle: () => new PaymentRefusal('BELOW_BOLETO_MINIMUM'),
    nobodyToPay: () => new PaymentRefusal('STORE_WITHOUT_TAX_ID'),
    now,
  };
}

/** What a charge has of the checkout that it pays for. */
export function ofCheckout({ id }: Checkout, submissionKey: string) {
  return { checkoutId: id, submissionKey };
}

/** A PIX code ends with its checkout at the latest. */
export function pixTermsOf({ expiresAt }: Pick<Checkout, 'expiresAt'>, now: Date) {
  const secondsLeft = expiresAt === null ? Infinity : (expiresAt.getTime() - now.getTime()) / 1_000;
  return { expiresInSeconds: Math.min(PIX_WINDOW_SECONDS, Math.max(1, secondsLeft)) };
}
