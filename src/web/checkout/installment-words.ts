import { installmentAmountsCents } from '../../domain/checkout.ts';
import { say } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';

/** What a card payment costs in 1, 2, … installments. */
export interface CardPrices {
  /** Of the order. */
  readonly priceCents: number;
  /** Above the price if the payer pays the card fees. */
  readonly totals: readonly number[];
  readonly passesFees: boolean;
  /** Which installment has the cents that are left over. */
  readonly lastIsLarger: boolean;
}

/** `3x de R$ 10,00 sem juros`, or `3x de R$ 35,20, total R$ 105,60, com R$ 5,60 de taxa`. */
export function installmentsText(prices: CardPrices, count: number): string {
  const { priceCents, passesFees, lastIsLarger } = prices;
  const totalCents = prices.totals[count - 1] ?? priceCents;
  const total = sayAmount(totalCents);
  const fee = sayAmount(Math.max(0, totalCents - priceCents));
  if (count === 1)
    return passesFees
      ? say('checkout.1PaymentWithFee', { total, fee })
      : say('checkout.1PaymentOf', { amount: total });
  const amounts = installmentAmountsCents(totalCents, count, lastIsLarger);
  const amount = sayAmount(Math.min(...amounts));
  const text = passesFees
    ? say('checkout.installmentsWithFee', { count, amount, total, fee })
    : say('checkout.withoutInterest', { count, amount });
  return withOther(text, amounts);
}

/** Adds the installment that is larger than the others, if one is. */
export function withOther(text: string, amounts: readonly number[]): string {
  const [first = 0] = amounts;
  const last = amounts.at(-1) ?? first;
  if (first === last) return text;
  return first > last
    ? `${text} ${say('payer.theFirstOf', { amount: sayAmount(first) })}`
    : `${text} ${say('payer.theLastOf', { amount: sayAmount(last) })}`;
}

/** What a card costs, in a few words beside its name: the price itself is on the page anyway. */
export function cardNote({ totals, passesFees }: CardPrices): string {
  const count = totals.length;
  if (!passesFees)
    return count > 1
      ? say('checkout.upToInstallmentsWithoutInterest', { count })
      : say('checkout.inOnePayment');
  const total = sayAmount(totals[0] ?? 0);
  return count > 1
    ? say('checkout.totalWithFeeFrom', { total, count })
    : say('checkout.totalWithFee', { total });
}
