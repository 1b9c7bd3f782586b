import type { ShownPayment } from '../../api/payments/schema.ts';
import { type CardWallet, isCardWallet } from '../../domain/card.ts';
import type { ChargeMethod, ChargeStatus, FailureReason } from '../../domain/charge.ts';
import type { CheckoutStatus } from '../../domain/checkout.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { PayoutStatus } from '../../domain/payout.ts';
import type { SubscriptionStatus } from '../../domain/subscription.ts';
import { parseTypedAmount } from '../../domain/typed-amount.ts';
import { type Html, html } from '../frame/html.ts';
import { WALLET_NAMES } from '../frame/method-words.ts';
import type { Locale, MessageKey } from '../i18n/catalogs.ts';
import { sayAmount } from '../i18n/money.ts';
import { badge } from './frame/components.ts';
import type { Say } from './frame/locale.ts';

export { sayAmount as amount };

/** Parses an amount as people type it ({@link parseTypedAmount}). @returns cents; null for any other text. */
export function centsIn(text: string): number | null {
  const typed = parseTypedAmount(text);
  return 'cents' in typed ? typed.cents : null;
}

/** Why {@link centsIn} finds no amount, as a sentence for the person who typed it; null if it finds one. */
export function amountProblem(text: string, say: Say): string | null {
  const typed = parseTypedAmount(text);
  if ('cents' in typed) return null;
  return typed.problem === 'AMBIGUOUS'
    ? say('dashboard.words.canBeReadInTwo', { text })
    : say('dashboard.words.writeAnAmountInReais');
}

/** An amount in a table, aligned by decimals. */
export function amountCell(cents: number | null): Html {
  return html`<span class="amount">${cents === null ? '–' : sayAmount(cents)}</span>`;
}

/** The heading of a column of amounts or numbers. */
export function amountHeading(text: string): Html {
  return html`<span class="amount">${text}</span>`;
}

/** Without cents, for narrow places: `R$ 1,2 mil`. */
export function shortAmount(cents: number, locale: Locale): string {
  const options = { notation: 'compact', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, options).format(cents / 100);
}

/** A whole number with the thousands that the language separates: `7.402`. */
export function numberText(number: number, locale: Locale): string {
  return new Intl.NumberFormat(locale).format(number);
}

/** A share, as the language writes it: `62%` or, in Spanish, `62 %`; a dash if the whole is zero. */
export function percent(part: number, whole: number, locale: Locale): string {
  return whole === 0 ? '–' : percentText(part / whole, locale);
}

/** A fraction of one as a percentage. @param digits after the point, at most. */
export function percentText(share: number, locale: Locale, digits = 0): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(share);
}

const METHODS: Readonly<Record<ChargeMethod, MessageKey>> = {
  PIX: 'dashboard.words.methods.pix',
  CARD: 'dashboard.card',
  BOLETO: 'dashboard.words.methods.boleto',
  FREE: 'dashboard.words.methods.free',
};

export function methodName(method: ChargeMethod | CardWallet, say: Say): string {
  return isCardWallet(method) ? WALLET_NAMES[method] : say(METHODS[method]);
}

type Kind = 'good' | 'bad' | 'waiting' | 'plain';

const STATUSES: Readonly<
  Record<ChargeStatus | CheckoutStatus | SubscriptionStatus | PayoutStatus, readonly [Kind, MessageKey]>
> = {
  PENDING: ['waiting', 'dashboard.open'],
  PAID: ['good', 'dashboard.paid'],
  EXPIRED: ['plain', 'dashboard.words.statuses.expired'],
  CANCELLED: ['plain', 'dashboard.words.statuses.cancelled'],
  UNDER_DISPUTE: ['bad', 'dashboard.words.statuses.underDispute'],
  REFUNDED: ['plain', 'dashboard.words.statuses.refunded'],
  FAILED: ['bad', 'dashboard.words.statuses.failed'],
  ACTIVE: ['good', 'dashboard.active'],
  COMPLETE: ['good', 'dashboard.words.statuses.complete'],
};

export type AnyStatus = keyof typeof STATUSES;

export function statusName(status: AnyStatus, say: Say): string {
  const [, words] = STATUSES[status];
  return say(words);
}

export function statusBadge(status: AnyStatus, say: Say): Html {
  return badge(STATUSES[status][0], statusName(status, say));
}

type PaymentStanding = Pick<ShownPayment, 'status' | 'refundedAmount'>;

/** PAID does not show a partial refund, so the words of a payment's status do. */
function isPartlyRefunded({ status, refundedAmount }: PaymentStanding): boolean {
  return status === 'PAID' && refundedAmount > 0;
}

/** A payment's status in words, as its badge shows it. */
export function paymentStatusName(payment: PaymentStanding, say: Say): string {
  return isPartlyRefunded(payment) ? say(PARTLY_REFUNDED) : statusName(payment.status, say);
}

export function paymentBadge(payment: PaymentStanding, say: Say): Html {
  return isPartlyRefunded(payment) ? partlyRefundedBadge(say) : statusBadge(payment.status, say);
}

const PARTLY_REFUNDED: MessageKey = 'dashboard.words.partlyRefunded';

export function partlyRefundedBadge(say: Say): Html {
  return badge('plain', say(PARTLY_REFUNDED));
}

const KINDS: Readonly<Record<ShownPayment['kind'], MessageKey>> = {
  TRANSPARENT: 'dashboard.words.kinds.transparent',
  CHECKOUT: 'dashboard.checkout',
  PAYMENT_LINK: 'dashboard.paymentLink',
  SUBSCRIPTION: 'dashboard.subscription',
  UPSELL: 'dashboard.words.kinds.upsell',
};

export function kindName(kind: ShownPayment['kind'], say: Say): string {
  return say(KINDS[kind]);
}

const CYCLES: Readonly<Record<ProductCycle, MessageKey>> = {
  WEEKLY: 'dashboard.words.cycles.weekly',
  MONTHLY: 'dashboard.words.cycles.monthly',
  QUARTERLY: 'dashboard.words.cycles.quarterly',
  SEMIANNUALLY: 'dashboard.words.cycles.semiannually',
  ANNUALLY: 'dashboard.words.cycles.annually',
};

/** `por mês`, shown after an amount. */
export function perCycle(cycle: ProductCycle, say: Say): string {
  return say(CYCLES[cycle]);
}

const FAILURES: Readonly<Record<FailureReason, MessageKey>> = {
  card_declined: 'dashboard.words.failures.cardDeclined',
  insufficient_funds: 'dashboard.words.failures.insufficientFunds',
  incorrect_cvc: 'dashboard.words.failures.incorrectCvc',
  expired_card: 'dashboard.words.failures.expiredCard',
  suspected_fraud: 'dashboard.words.failures.suspectedFraud',
  processing_error: 'dashboard.words.failures.processingError',
  authentication_required: 'dashboard.words.failures.authenticationRequired',
  authentication_failed: 'dashboard.words.failures.authenticationFailed',
  pix_expired: 'dashboard.words.failures.pixExpired',
  payment_cancelled: 'dashboard.words.failures.paymentCancelled',
  debit_failed: 'dashboard.words.failures.debitFailed',
};

/** Why a charge FAILED, as the end of a sentence; for an unknown reason, the provider's own word. */
export function failureWords(reason: string | null, say: Say): string {
  if (reason === null) return say('dashboard.noReasonWasGiven');
  const words = FAILURES[reason as FailureReason];
  return words === undefined ? reason : say(words);
}

/** A stored expiry (`2027-12`) as it stands on the card, after its number: ` · 12/27`; empty if unknown. */
export function expiryText(expiryMonth: string | null): string {
  return expiryMonth === null ? '' : ` · ${expiryMonth.slice(5)}/${expiryMonth.slice(2, 4)}`;
}
