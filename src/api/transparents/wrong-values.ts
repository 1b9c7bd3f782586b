import {
  amountRefusals,
  type BoletoRefusal,
  boletoRefusals,
  dueDateRefusals,
} from '../../charges/boleto-limits.ts';
import { addBusinessDays } from '../../domain/business-days.ts';
import { DEFAULT_BUSINESS_DAYS } from '../../domain/charge-deadlines.ts';
import { type CivilDate, civilDate, isCivilDate, saoPauloDateOf } from '../../domain/civil-date.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { BOLETOS_OF_ANY_KIND, type BoletoTerms } from '../../providers/ports/boletos.ts';
import { wrongTaxId } from '../customers/fields.ts';
import { type DraftRules, textIn, valueIn } from '../frame/draft.ts';
import { type ApiError, brokenRule, together } from '../frame/errors.ts';
import type { BoletoData, CreateBody } from './schema.ts';

/**
 * Refuses, all at once, values for which no provider would issue a charge, before a provider is called.
 * @param customerPath the path of the payer in the request's body, for errors.
 * @param terms the limits of the provider's boletos.
 * @throws ApiError 422 that names every wrong field.
 */
export function refuseWrongValues(
  body: CreateBody,
  customerPath: string,
  terms: BoletoTerms | undefined,
  now: Date,
): void {
  const wrong = [wrongPayer(body, customerPath)].filter((error) => error !== null);
  if (body.method === 'BOLETO' && terms !== undefined) {
    const { amount, interest, fine, customer } = body.data;
    const wanted = { amountCents: amount, dueDate: dueDateOf(body.data, now), interest, fine, now };
    const payer = { email: customer.email, address: customer.address ?? null };
    wrong.push(
      ...boletoRefusals(terms, { ...wanted, payer }).map((refusal) => boletoError(refusal, customerPath)),
    );
  }
  if (body.method === 'PIX' && body.data.dueDate !== null) {
    const refusals = dueDateRefusals(BOLETOS_OF_ANY_KIND, { dueDate: civilDate(body.data.dueDate), now });
    wrong.push(...refusals.map((refusal) => boletoError(refusal, customerPath)));
  }
  if (wrong.length > 0) throw together(wrong);
}

/** The same values in a body whose other fields may have the wrong form. */
export const wrongValuesOfDraft: DraftRules = async (body, { now }) =>
  wrongValues(body, 'data.customer', now);

function wrongValues(body: unknown, customerPath: string, now: Date): ApiError[] {
  const wrong = [wrongPayer(body, customerPath)].filter((error) => error !== null);
  const refusals = [
    ...(isBoleto(body) ? wrongAmount(body) : []),
    ...(mayBeDue(body) ? wrongDueDate(body, now) : []),
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

function isBoleto(body: unknown): boolean {
  return valueIn(body, 'method') === 'BOLETO';
}

/** A request without a method is for PIX. */
function mayBeDue(body: unknown): boolean {
  return ['BOLETO', 'PIX', undefined].includes(valueIn(body, 'method') as string | undefined);
}

/** The due date that a request asks for (contract section 4.5). */
export function dueDateOf({ dueDate }: Pick<BoletoData, 'dueDate'>, now: Date): CivilDate {
  return dueDate ? civilDate(dueDate) : addBusinessDays(saoPauloDateOf(now), DEFAULT_BUSINESS_DAYS);
}

/** @param customerPath the path of the payer in the request's body. */
export function boletoError({ limit, field, message }: BoletoRefusal, customerPath: string): ApiError {
  const isOfPayer = field === 'email' || field === 'address';
  return brokenRule(limit, isOfPayer ? `${customerPath}.${field}` : `data.${field}`, message);
}
