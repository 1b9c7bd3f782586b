import { cardRefusalsOf } from '../../checkouts/card-refusals.ts';
import type { EnteredCard } from '../../checkouts/entered-card.ts';
import { cardTotalsCents } from '../../checkouts/passed-fees.ts';
import { isComplete, payerNeedsOf, payerRefusalsOf } from '../../checkouts/payer.ts';
import { chargeMethodsOf } from '../../domain/charge.ts';
import { maxInstallmentsFor } from '../../domain/checkout.ts';
import { isEmail } from '../../domain/email.ts';
import { parseZipCode, STATES } from '../../domain/payer.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { choiceOf, type TypedForm } from './pay-form-data.ts';
import type { FormProblem } from './refusal-wording.ts';

/**
 * Everything that is wrong with a submitted form, in the order of its fields, so that a payer corrects it once. The payment
 * checks the same again and more, such as whether the provider accepts the card.
 *
 * @param totalCents the price, after a coupon.
 */
export function formProblemsOf(
  form: URLSearchParams,
  typed: TypedForm,
  loaded: LoadedCheckout,
  totalCents: number,
  now: Date,
): readonly FormProblem[] {
  const { checkout, customer, boletoTerms, pixTerms, cardTerms } = loaded;
  const { method } = typed;
  const email = typed.payerEmail !== '' && !isEmail(typed.payerEmail) ? (['EMAIL_INVALID'] as const) : [];
  if (method === null || !chargeMethodsOf(checkout.methods).includes(method))
    return ['METHOD_NOT_OFFERED', ...email];
  const choice = choiceOf(form, typed, method, loaded);
  const isSubscription = checkout.frequency === 'SUBSCRIPTION';
  const takesCard = METHOD_TRAITS[method].keepsInstrument && (totalCents > 0 || isSubscription);
  const isNamed = customer !== null && checkout.frequency !== 'MULTIPLE_PAYMENTS';
  const terms = {
    boletos: boletoTerms ?? undefined,
    pix: pixTerms ?? undefined,
    cards: cardTerms ?? undefined,
  };
  const asked = payerNeedsOf(terms, method, checkout);
  const needsPayer = !isNamed || !isComplete(customer, method, asked);
  return [
    ...(takesCard ? cardProblemsOf(choice.card, loaded, now) : []),
    ...(takesCard && !isOffered(choice.installmentsCount, loaded, totalCents)
      ? (['INSTALLMENTS_NOT_OFFERED'] as const)
      : []),
    ...(needsPayer
      ? payerRefusalsOf(
          method,
          choice.payer,
          asked.filter((need) => need !== 'address'),
        )
      : []),
    ...email,
    ...(asked.includes('address') ? addressProblemsOf(typed) : []),
  ];
}

/** Every part of the address that is missing or wrong. */
function addressProblemsOf({
  payerStreet,
  payerCity,
  payerState,
  payerZipCode,
}: TypedForm): readonly FormProblem[] {
  const problems: FormProblem[] = [];
  if (payerStreet === '') problems.push('STREET_MISSING');
  if (payerCity === '') problems.push('CITY_MISSING');
  if (!STATES.some((state) => state === payerState)) problems.push('STATE_MISSING');
  if (parseZipCode(payerZipCode) === null) problems.push('ZIP_CODE_WRONG');
  return problems;
}

/** An empty number is missing, not wrong. A token of the provider's fields, and a card on its page, are checked by the provider. */
function cardProblemsOf(
  card: EnteredCard | null,
  { cardFields, takesCardOnPage, checkout }: LoadedCheckout,
  now: Date,
): readonly FormProblem[] {
  if (takesCardOnPage) return [];
  if (card !== null && !('typed' in card)) return [];
  if (card?.wallet != null) return [];
  if (!checkout.methods.includes('CARD')) return ['WALLET_NOT_USED'];
  if (cardFields !== null) return ['CARD_FIELDS_EMPTY'];
  const typed = card?.typed ?? null;
  return cardRefusalsOf(typed, now).map((refusal) =>
    refusal === 'CARD_NUMBER_INVALID' && typed?.number === '' ? 'CARD_REQUIRED' : refusal,
  );
}

function isOffered(
  count: number,
  { checkout, cardTerms, passedFees }: LoadedCheckout,
  totalCents: number,
): boolean {
  if (count < 1) return false;
  // A wallet may pay what no typed card can.
  if (count === 1 || cardTerms === null)
    return count <= maxInstallmentsFor(totalCents, checkout.maxInstallments);
  return count <= cardTotalsCents(totalCents, checkout, cardTerms, passedFees).length;
}
