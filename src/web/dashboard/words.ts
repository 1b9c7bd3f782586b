import type { ShownPayment } from '../../api/payments/schema.ts';
import type { ChargeMethod, ChargeStatus, FailureReason } from '../../domain/charge.ts';
import type { CheckoutStatus } from '../../domain/checkout.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import { formatSignedBrl } from '../../domain/money.ts';
import type { PayoutStatus } from '../../domain/payout.ts';
import type { SubscriptionStatus } from '../../domain/subscription.ts';
import { parseTypedAmount } from '../../domain/typed-amount.ts';
import { type Html, html } from '../frame/html.ts';
import { badge } from './frame/components.ts';
import type { Locale, Say } from './frame/locale.ts';

type Words = readonly [portuguese: string, english: string];

/** Cents formatted as in Brazil, in both languages: `-R$ 1.234,56`. */
export function amount(cents: number): string {
  return formatSignedBrl(cents);
}

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
    ? say(
        `“${text}” pode ser lido de duas formas. Escreva também os centavos, como 1.234,00 ou 1,23.`,
        `“${text}” can be read in two ways. Write the cents too, such as 1.234,00 or 1,23.`,
      )
    : say(
        'Escreva um valor em reais, como 10, 49,90 ou 1.234,56.',
        'Write an amount in reais, such as 10, 49,90 or 1.234,56.',
      );
}

/** An amount in a table, aligned by decimals. */
export function amountCell(cents: number | null): Html {
  return html`<span class="amount">${cents === null ? '–' : amount(cents)}</span>`;
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

/** A share: `62 %`; a dash if the whole is zero. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}

/** `22/11`, or `22 Nov`. */
export function shortDay(day: CivilDate, locale: Locale): string {
  const options =
    locale === 'en'
      ? ({ day: 'numeric', month: 'short' } as const)
      : ({ day: '2-digit', month: '2-digit' } as const);
  return format(locale === 'en' ? 'en-GB' : locale, options, day);
}

/** `nov 26`. @param day any day of the month. */
export function shortMonth(day: CivilDate, locale: Locale): string {
  const options = { month: 'short', year: '2-digit' } as const;
  return format(locale === 'en' ? 'en-GB' : locale, options, day)
    .replace('. de ', ' ')
    .replace('.', '');
}

/** `Outubro de 2026`, or `October 2026`. @param day any day of the month. */
export function monthName(day: CivilDate, locale: Locale): string {
  const name = format(locale === 'en' ? 'en-GB' : locale, { month: 'long', year: 'numeric' }, day);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** `segunda-feira`, or `Monday`. */
export function weekdayName(day: CivilDate, locale: Locale): string {
  return format(locale === 'en' ? 'en-GB' : locale, { weekday: 'long' }, day);
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes longer than using it a hundred times. */
function format(locale: string, options: Intl.DateTimeFormatOptions, day: CivilDate): string {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = FORMATS.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  FORMATS.set(key, known);
  return known.format(new Date(`${day}T00:00:00Z`));
}

const METHODS: Readonly<Record<ChargeMethod, Words>> = {
  PIX: ['Pix', 'Pix'],
  CARD: ['Cartão', 'Card'],
  BOLETO: ['Boleto', 'Boleto'],
  FREE: ['Sem custo', 'Free'],
};

export function methodName(method: ChargeMethod, say: Say): string {
  return say(...METHODS[method]);
}

type Kind = 'good' | 'bad' | 'waiting' | 'plain';

const STATUSES: Readonly<
  Record<ChargeStatus | CheckoutStatus | SubscriptionStatus | PayoutStatus, readonly [Kind, ...Words]>
> = {
  PENDING: ['waiting', 'Em aberto', 'Open'],
  PAID: ['good', 'Pago', 'Paid'],
  EXPIRED: ['plain', 'Expirado', 'Expired'],
  CANCELLED: ['plain', 'Cancelado', 'Cancelled'],
  UNDER_DISPUTE: ['bad', 'Em disputa', 'Disputed'],
  REFUNDED: ['plain', 'Reembolsado', 'Refunded'],
  FAILED: ['bad', 'Recusado', 'Failed'],
  ACTIVE: ['good', 'Ativa', 'Active'],
  COMPLETE: ['good', 'Enviado', 'Sent'],
};

export type AnyStatus = keyof typeof STATUSES;

export function statusName(status: AnyStatus, say: Say): string {
  const [, ...words] = STATUSES[status];
  return say(...words);
}

export function statusBadge(status: AnyStatus, say: Say): Html {
  return badge(STATUSES[status][0], statusName(status, say));
}

/** The badge of a payment's status. PAID does not show a partial refund, so the badge does. */
export function paymentBadge(
  { status, refundedAmount }: Pick<ShownPayment, 'status' | 'refundedAmount'>,
  say: Say,
): Html {
  if (status !== 'PAID' || refundedAmount === 0) return statusBadge(status, say);
  return partlyRefundedBadge(say);
}

export function partlyRefundedBadge(say: Say): Html {
  return badge('plain', say('Reembolsado em parte', 'Partly refunded'));
}

const KINDS: Readonly<Record<ShownPayment['kind'], Words>> = {
  TRANSPARENT: ['Cobrança pela API', 'Charge by the API'],
  CHECKOUT: ['Checkout', 'Checkout'],
  PAYMENT_LINK: ['Link de pagamento', 'Payment link'],
  SUBSCRIPTION: ['Assinatura', 'Subscription'],
  UPSELL: ['Oferta adicional', 'Upsell'],
};

export function kindName(kind: ShownPayment['kind'], say: Say): string {
  return say(...KINDS[kind]);
}

const CYCLES: Readonly<Record<ProductCycle, Words>> = {
  WEEKLY: ['por semana', 'a week'],
  MONTHLY: ['por mês', 'a month'],
  QUARTERLY: ['por trimestre', 'a quarter'],
  SEMIANNUALLY: ['por semestre', 'half a year'],
  ANNUALLY: ['por ano', 'a year'],
};

/** `por mês`, shown after an amount. */
export function perCycle(cycle: ProductCycle, say: Say): string {
  return say(...CYCLES[cycle]);
}

const FAILURES: Readonly<Record<FailureReason, Words>> = {
  card_declined: ['o banco do cartão não autorizou', 'the card’s bank did not authorise it'],
  insufficient_funds: ['o cartão não tem limite ou saldo', 'the card has no funds or limit left'],
  incorrect_cvc: ['o código de segurança não confere', 'the security code is wrong'],
  expired_card: ['o cartão está vencido', 'the card has expired'],
  suspected_fraud: ['o banco suspeitou de fraude', 'the bank suspected fraud'],
  processing_error: ['o banco do cartão não respondeu', 'the card’s bank did not answer'],
  pix_expired: ['ninguém pagou o Pix a tempo', 'nobody paid the Pix in time'],
  payment_cancelled: ['o pagamento foi cancelado', 'the payment was cancelled'],
};

/** Why a charge FAILED, as the end of a sentence; for an unknown reason, the provider's own word. */
export function failureWords(reason: string | null, say: Say): string {
  if (reason === null) return say('sem motivo informado', 'no reason was given');
  const words = FAILURES[reason as FailureReason];
  return words === undefined ? reason : say(...words);
}
