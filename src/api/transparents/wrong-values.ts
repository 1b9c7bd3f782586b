import { METHODS } from '../../charges/methods/index.ts';
import { addDays, civilDate, saoPauloDateOf } from '../../domain/civil-date.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { wrongTaxId } from '../customers/fields.ts';
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
  const wrong = [wrongPayer(body, customerPath), wrongAmount(body), wrongDueDate(body, now)].filter(
    (error) => error !== null,
  );
  if (wrong.length > 0) throw together(wrong);
}

function wrongPayer({ data: { customer } }: CreateBody, path: string): ApiError | null {
  const taxId = customer?.taxId;
  return !taxId || parseTaxId(taxId) !== null ? null : wrongTaxId(`${path}.taxId`);
}

/** PIX supports every amount that the schema accepts. */
function wrongAmount({ method, data: { amount } }: CreateBody): ApiError | null {
  return method === 'BOLETO' && amount < METHODS.BOLETO.minCents
    ? belowBoletoMinimum(METHODS.BOLETO.minCents)
    : null;
}

export function belowBoletoMinimum(minCents: number): ApiError {
  const message = `must be at least ${minCents} cents for a boleto`;
  return brokenRule('BELOW_BOLETO_MINIMUM', 'data.amount', message);
}

function wrongDueDate(body: CreateBody, now: Date): ApiError | null {
  const dueDate = body.method === 'BOLETO' ? body.data.dueDate : null;
  if (!dueDate) return null;
  const today = saoPauloDateOf(now);
  const latest = addDays(today, MAX_DAYS_AHEAD);
  const wanted = civilDate(dueDate);
  if (wanted >= today && wanted <= latest) return null;
  const message = `must be between ${today} and ${latest}, days in America/Sao_Paulo`;
  return brokenRule('DUE_DATE_OUT_OF_RANGE', 'data.dueDate', message);
}
