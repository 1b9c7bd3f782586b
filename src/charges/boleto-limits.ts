import type { Fine, Interest } from '../domain/charge.ts';
import { addDays, type CivilDate, saoPauloDateOf } from '../domain/civil-date.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import type { BoletoPayer, BoletoTerms } from '../providers/ports/boletos.ts';

/** Why a provider cannot issue a boleto. */
export type BoletoLimit =
  | 'BELOW_BOLETO_MINIMUM'
  | 'ABOVE_BOLETO_MAXIMUM'
  | 'DUE_DATE_OUT_OF_RANGE'
  | 'LATE_CHARGES_NOT_POSSIBLE'
  | 'PAYER_EMAIL_REQUIRED'
  | 'PAYER_ADDRESS_REQUIRED';

/** A field of a boleto that its provider does not support, and what is right. */
export interface BoletoRefusal {
  readonly limit: BoletoLimit;
  readonly field: 'amount' | 'dueDate' | 'interest' | 'fine' | 'email' | 'address';
  readonly message: string;
}

interface PayerRefusal extends BoletoRefusal {
  readonly limit: 'PAYER_EMAIL_REQUIRED' | 'PAYER_ADDRESS_REQUIRED';
}

interface WantedBoleto {
  readonly amountCents: number;
  readonly dueDate: CivilDate;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
  readonly payer: Partial<BoletoPayer>;
  readonly now: Date;
}

/** Everything in a boleto that its provider does not support, so that nobody corrects one field at a time. */
export function boletoRefusals(terms: BoletoTerms, wanted: WantedBoleto): readonly BoletoRefusal[] {
  return [
    ...amountRefusals(terms, wanted.amountCents),
    ...dueDateRefusals(terms, wanted),
    ...lateChargeRefusals(terms, wanted),
    ...payerRefusals(terms, wanted.payer),
  ];
}

/** The smallest boleto, by the contract and by the provider (contract section 4.5). */
export function minBoletoCents({ minCents }: Pick<BoletoTerms, 'minCents'>): number {
  return Math.max(METHOD_TRAITS.BOLETO.minCents, minCents);
}

export function amountRefusals(
  terms: Pick<BoletoTerms, 'minCents' | 'maxCents'>,
  amountCents: number,
): readonly BoletoRefusal[] {
  const [min, max] = [minBoletoCents(terms), terms.maxCents];
  if (amountCents < min)
    return [
      {
        limit: 'BELOW_BOLETO_MINIMUM',
        field: 'amount',
        message: `must be at least ${min} cents for a boleto`,
      },
    ];
  if (amountCents <= max) return [];
  const message = `must be at most ${max} cents for a boleto at this provider`;
  return [{ limit: 'ABOVE_BOLETO_MAXIMUM', field: 'amount', message }];
}

/** Days are counted in São Paulo. */
export function dueDateRefusals(
  { minDueDays, maxDueDays }: Pick<BoletoTerms, 'minDueDays' | 'maxDueDays'>,
  { dueDate, now }: Pick<WantedBoleto, 'dueDate' | 'now'>,
): readonly BoletoRefusal[] {
  const today = saoPauloDateOf(now);
  const [first, last] = [addDays(today, minDueDays), addDays(today, maxDueDays)];
  if (dueDate >= first && dueDate <= last) return [];
  const message = `must be between ${first} and ${last}, days in America/Sao_Paulo`;
  return [{ limit: 'DUE_DATE_OUT_OF_RANGE', field: 'dueDate', message }];
}

export function lateChargeRefusals(
  terms: Pick<BoletoTerms, 'interest' | 'fine'>,
  wanted: Pick<WantedBoleto, 'interest' | 'fine'>,
): readonly BoletoRefusal[] {
  const fields = ['interest', 'fine'] as const;
  return fields
    .filter((field) => !terms[field] && wanted[field] !== null)
    .map((field) => {
      const message = 'is not possible for boletos at this provider; leave it out';
      return { limit: 'LATE_CHARGES_NOT_POSSIBLE', field, message };
    });
}

export function payerRefusals(
  { payerNeeds }: Pick<BoletoTerms, 'payerNeeds'>,
  { email = null, address = null }: Partial<BoletoPayer>,
): readonly PayerRefusal[] {
  const refusals: PayerRefusal[] = [];
  if (payerNeeds.includes('email') && email === null)
    refusals.push({
      limit: 'PAYER_EMAIL_REQUIRED',
      field: 'email',
      message: 'is required for a boleto at this provider',
    });
  if (payerNeeds.includes('address') && address === null) {
    const message = 'is required for a boleto at this provider: street, city, state and zipCode';
    refusals.push({ limit: 'PAYER_ADDRESS_REQUIRED', field: 'address', message });
  }
  return refusals;
}
