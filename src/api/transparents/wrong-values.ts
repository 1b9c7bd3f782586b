import { amountRefusals, type BoletoRefusal, dueDateRefusals } from '../../charges/boleto-limits.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../../domain/charge.ts';
import { civilDate, isCivilDate } from '../../domain/civil-date.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { BOLETOS_OF_ANY_KIND } from '../../providers/ports/boletos.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import { wrongTaxId } from '../customers/fields.ts';
import { type DraftRules, textIn, valueIn } from '../frame/draft.ts';
import { type ApiError, brokenRule, together } from '../frame/errors.ts';
import { requestedRefusals } from './requested-method.ts';
import type { CreateBody } from './schema.ts';

/**
 * Refuses, all at once, values for which no provider would issue a charge, before a provider is called.
 * @param customerPath the path of the payer in the request's body, for errors.
 * @throws ApiError 422 that names every wrong field.
 */
export function refuseWrongValues(
  body: CreateBody,
  customerPath: string,
  provider: PaymentProvider,
  now: Date,
): void {
  const wrong = [wrongPayer(body, customerPath)].filter((error) => error !== null);
  wrong.push(...requestedRefusals(body, provider, now).map((refusal) => boletoError(refusal, customerPath)));
  if (wrong.length > 0) throw together(wrong);
}

/** The same values in a body whose other fields may have the wrong form. */
export const wrongValuesOfDraft: DraftRules = async (body, { now }) =>
  wrongValues(body, 'data.customer', now);

function wrongValues(body: unknown, customerPath: string, now: Date): ApiError[] {
  const wrong = [wrongPayer(body, customerPath)].filter((error) => error !== null);
  const method = methodIn(body);
  const refusals = [
    ...(method !== null && METHOD_TRAITS[method].hasSlip ? wrongAmount(body) : []),
    ...(method !== null && METHOD_TRAITS[method].lateAmountBy !== null ? wrongDueDate(body, now) : []),
  ];
  return [...wrong, ...refusals.map((refusal) => boletoError(refusal, customerPath))];
}

function wrongPayer(body: unknown, path: string): ApiError | null {
  const taxId = textIn(body, 'data', 'customer', 'taxId');
  return taxId === null || parseTaxId(taxId) !== null ? null : wrongTaxId(`${path}.taxId`);
}

/** Only the limits of every provider: the fields may have the wrong form. */
function wrongAmount(body: unknown): readonly BoletoRefusal[] {
  const amount = valueIn(body, 'data', 'amount');
  return typeof amount === 'number' && amount > 0 ? amountRefusals(BOLETOS_OF_ANY_KIND, amount) : [];
}

function wrongDueDate(body: unknown, now: Date): readonly BoletoRefusal[] {
  const wanted = textIn(body, 'data', 'dueDate');
  if (wanted === null || !isCivilDate(wanted)) return [];
  return dueDateRefusals(BOLETOS_OF_ANY_KIND, { dueDate: civilDate(wanted), now });
}

/** The method that a body asks for: PIX if it names none. Null for anything else. */
function methodIn(body: unknown): PaymentMethod | null {
  const sent = valueIn(body, 'method');
  const method = sent === undefined ? 'PIX' : sent;
  return PAYMENT_METHODS.find((each) => each === method) ?? null;
}

/** @param customerPath the path of the payer in the request's body. */
export function boletoError({ limit, field, message }: BoletoRefusal, customerPath: string): ApiError {
  const isOfPayer = field === 'email' || field === 'address';
  return brokenRule(limit, isOfPayer ? `${customerPath}.${field}` : `data.${field}`, message);
}
