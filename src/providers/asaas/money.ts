import { saoPauloMidnight, saoPauloNoon } from '../../domain/civil-date.ts';
import type { PaidCard, ProviderPayment, ProviderRefund } from '../ports/payment.ts';
import { ProviderError } from '../provider-error.ts';
import { disputesOf } from './chargebacks.ts';
import {
  type AsaasPayment,
  type AsaasPixTransaction,
  type AsaasRefund,
  isByCard,
  paymentIdOf,
  referenceOf,
} from './wire.ts';

/** The money of a paid charge. @param transaction its PIX; null for a boleto paid by its bar code, and for a card. */
export function moneyOf(payment: AsaasPayment, transaction: AsaasPixTransaction | null): ProviderPayment {
  const { id, value, originalValue, interestValue } = payment;
  return {
    providerPaymentId: id,
    reference: referenceOf(payment),
    amountCents: value,
    paidAt: paidAtOf(payment, transaction?.effectiveDate ?? null),
    payer: { name: transaction?.externalAccount?.name ?? null, taxId: null },
    endToEndIdentifier: transaction?.endToEndIdentifier ?? null,
    components:
      originalValue === null || interestValue === null || originalValue + interestValue !== value
        ? null
        : { originalCents: originalValue, interestCents: interestValue, fineCents: 0, discountCents: 0 },
    refunds: (payment.refunds ?? []).map(shownRefund),
    ...(isByCard(payment) && {
      card: cardOf(payment),
      settlesAt: settlesAtOf([payment]),
      disputes: disputesOf([payment]),
    }),
  };
}

/**
 * The money of a card payment in installments, each of which is a payment at Asaas. The card's issuer accepts all or none.
 * @param parts all installments, the first one first.
 */
export function moneyInInstallments(parts: readonly [AsaasPayment, ...AsaasPayment[]]): ProviderPayment {
  const [first] = parts;
  return {
    ...moneyOf(first, null),
    providerPaymentId: paymentIdOf(first),
    amountCents: parts.reduce((sum, { value }) => sum + value, 0),
    components: null,
    ...settlementOf(parts),
    refunds: refundsOf(parts),
    disputes: disputesOf(parts),
  };
}

/** Asaas shows the last four digits of a card only. */
function cardOf({ creditCard }: AsaasPayment): PaidCard | null {
  if (creditCard === null) return null;
  return { brand: creditCard.creditCardBrand.toLowerCase(), lastFour: creditCard.creditCardNumber };
}

/** The days of all installments, once Asaas has named them all. */
function settlementOf(parts: readonly AsaasPayment[]): Pick<ProviderPayment, 'settlesAt' | 'installments'> {
  const installments = parts.flatMap((part) => {
    const settlesAt = settlesAtOf([part]);
    return settlesAt === null ? [] : [{ amountCents: part.value, settlesAt }];
  });
  if (installments.length < parts.length) return { settlesAt: null };
  return { settlesAt: settlesAtOf(parts), ...(parts.length > 1 && { installments }) };
}

/** Asaas pays each installment on a day of its own, which it names once the card is accepted. */
function settlesAtOf(parts: readonly AsaasPayment[]): Date | null {
  const days = parts.map(({ creditDate, estimatedCreditDate }) => creditDate ?? estimatedCreditDate);
  const last = days
    .filter((day) => day !== null)
    .toSorted()
    .at(-1);
  return last === undefined || days.includes(null) ? null : saoPauloMidnight(last);
}

/** A refund of Recebe is spread over installments under one description; the parts are one refund here. */
function refundsOf(parts: readonly AsaasPayment[]): readonly ProviderRefund[] {
  const shown = parts.flatMap(({ id, refunds }) =>
    (refunds ?? []).map((refund) => {
      const one = shownRefund(refund);
      return refund.description === null ? { ...one, reference: `${id}/${one.reference}` } : one;
    }),
  );
  return [...Map.groupBy(shown, ({ reference }) => reference).values()].map((same) => together(same));
}

function together(same: readonly ProviderRefund[]): ProviderRefund {
  const counted = same.filter(({ status }) => status !== 'REFUSED');
  const [one] = counted.length > 0 ? counted : same;
  if (one === undefined) throw new Error('no refund is there');
  const status = counted.some((each) => each.status === 'PENDING') ? ('PENDING' as const) : one.status;
  const amountCents = (counted.length > 0 ? counted : same).reduce((sum, each) => sum + each.amountCents, 0);
  return { ...one, status, amountCents };
}

/** Refunds have no id. Recebe's carry theirs in the description; others are known by their time and amount. */
function shownRefund({ description, dateCreated, value, status }: AsaasRefund): ProviderRefund {
  return {
    reference: description ?? `${dateCreated ?? ''}/${value}`,
    amountCents: value,
    status: refundStatusOf(status),
    kind: 'ORDINARY',
  };
}

function refundStatusOf(status: string): ProviderRefund['status'] {
  if (status === 'DONE') return 'RETURNED';
  return status === 'CANCELLED' ? 'REFUSED' : 'PENDING';
}

/** Times without a zone are those of São Paulo, which has had no daylight saving time since 2019. */
const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})$/;

/** For a boleto paid by its bar code, and for a card, Asaas names only the day: its noon stands for it. */
function paidAtOf({ clientPaymentDate, paymentDate }: AsaasPayment, effectiveDate: string | null): Date {
  const [, date, time] = LOCAL_TIME.exec(effectiveDate ?? '') ?? [];
  if (date !== undefined) return new Date(`${date}T${time}-03:00`);
  const paidOn = clientPaymentDate ?? paymentDate;
  if (paidOn === null) throw new ProviderError('RETRY', 'Asaas does not name the day of the payment yet');
  return saoPauloNoon(paidOn);
}
