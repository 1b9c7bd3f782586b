import type { Charge } from '../database/entities/charge.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { dueTermsOf } from '../domain/charge.ts';
import { itemsText } from '../domain/checkout.ts';
import { type CivilDate, saoPauloDateOf } from '../domain/civil-date.ts';
import { amountDueCents } from '../domain/fine-and-interest.ts';
import type { ChargeId } from '../domain/ids.ts';
import { lastDayToPay } from '../domain/last-day-to-pay.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';

/** What a reminder says about an unpaid boleto. */
export interface BoletoFacts {
  /** What is paid for; empty if nobody has said it. */
  readonly what: string;
  readonly dueDate: CivilDate;
  readonly today: CivilDate;
  /** What a payment costs today. */
  readonly dueCents: number;
  /** The last day on which it can be paid. */
  readonly lastDay: CivilDate;
  readonly payPath: string;
}

/** What a reminder says about a charge on the store's day; null if it cannot be paid on it. */
export function boletoFacts(charge: Charge, storeTime: Date): BoletoFacts | null {
  const { id, checkoutId, items, description } = charge;
  const terms = dueTermsOf(charge);
  const today = saoPauloDateOf(storeTime);
  if (terms === null || !METHOD_TRAITS[terms.method].hasDueDate || today > lastDayToPay(terms)) return null;
  return {
    what: itemsText(items ?? []) || (description ?? ''),
    dueDate: terms.dueDate,
    today,
    dueCents: amountDueCents(terms, today),
    lastDay: lastDayToPay(terms),
    payPath: checkoutId === null ? `/boleto/${id}` : `/pay/${checkoutId}/${id}`,
  };
}

const READ_LANGUAGE = statement<{ chargeId: ChargeId }, { readonly language: string }>(
  'read the language of a payer',
  () => 'select language from receipt_mails where charge_id = :chargeId',
);

/** The language in which the payer has begun the payment; null if no page was used, or no address was left on it. */
export async function payersLanguage(em: Em, chargeId: ChargeId): Promise<string | null> {
  const [found] = await READ_LANGUAGE(em, { chargeId });
  return found?.language ?? null;
}
