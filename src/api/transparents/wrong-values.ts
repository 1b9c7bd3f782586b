import { METHODS } from '../../charges/methods/index.ts';
import { addDays, isCivilDate, saoPauloDateOf } from '../../domain/civil-date.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { wrongTaxId } from '../customers/fields.ts';
import { type DraftRules, textIn, valueIn } from '../frame/draft.ts';
import { type ApiError, brokenRule, together } from '../frame/errors.ts';
import type { CreateBody } from './schema.ts';

/** The latest due date of a boleto (contract section 4). */
const MAX_DAYS_AHEAD = 365;

/**
 * Refuses, all at once, values for which no provider would issue a charge, before a provider is called.
 * @param customerPath the path of the payer in the request's body, for errors.
 * @throws ApiError 422 that names every wrong field.
 */
export function refuseWrongValues(body: CreateBody, customerPath: string, now: Date): void {
  const wrong = wrongValues(body, customerPath, now);
  if (wrong.length > 0) throw together(wrong);
}

/** The same values in a body whose other fields may have the wrong form. */
export const wrongValuesOfDraft: DraftRules = async (body, { now }) =>
  wrongValues(body, 'data.customer', now);

function wrongValues(body: unknown, customerPath: string, now: Date): ApiError[] {
  const wrong = [wrongPayer(body, customerPath), wrongAmount(body), wrongDueDate(body, now)];
  return wrong.filter((error) => error !== null);
}

function wrongPayer(body: unknown, path: string): ApiError | null {
  const taxId = textIn(body, 'data', 'customer', 'taxId');
  return taxId === null || parseTaxId(taxId) !== null ? null : wrongTaxId(`${path}.taxId`);
}

/** PIX supports every amount that the schema accepts. */
function wrongAmount(body: unknown): ApiError | null {
  const amount = valueIn(body, 'data', 'amount');
  const isTooLow = typeof amount === 'number' && amount > 0 && amount < METHODS.BOLETO.minCents;
  return isBoleto(body) && isTooLow ? belowBoletoMinimum(METHODS.BOLETO.minCents) : null;
}

function isBoleto(body: unknown): boolean {
  return valueIn(body, 'method') === 'BOLETO';
}

export function belowBoletoMinimum(minCents: number): ApiError {
  const message = `must be at least ${minCents} cents for a boleto`;
  return brokenRule('BELOW_BOLETO_MINIMUM', 'data.amount', message);
}

function wrongDueDate(body: unknown, now: Date): ApiError | null {
  const wanted = isBoleto(body) ? textIn(body, 'data', 'dueDate') : null;
  if (wanted === null || !isCivilDate(wanted)) return null;
  const today = saoPauloDateOf(now);
  const latest = addDays(today, MAX_DAYS_AHEAD);
  if (wanted >= today && wanted <= latest) return null;
  const message = `must be between ${today} and ${latest}, days in America/Sao_Paulo`;
  return brokenRule('DUE_DATE_OUT_OF_RANGE', 'data.dueDate', message);
}
