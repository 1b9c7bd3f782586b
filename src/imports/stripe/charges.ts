import { type Fields, fieldsOf, idOf, instantOfSeconds, numberOf, textOf } from '../foreign.ts';
import type { SourcedRow } from '../source.ts';

const METHODS: Readonly<Record<string, string>> = { card: 'CARD', boleto: 'BOLETO', pix: 'PIX' };

/** A payment of the past. */
export function chargeRow(charge: Fields): SourcedRow {
  const place = { kind: 'payment' as const, place: 'charges', id: idOf(charge) ?? '' };
  if (charge.status !== 'succeeded' || charge.paid === false || charge.captured === false)
    return { ...place, fields: {}, skipped: 'it was not paid' };
  const details = textOf(fieldsOf(charge.payment_method_details).type);
  const isBrl = textOf(charge.currency)?.toLowerCase() === 'brl';
  return {
    ...place,
    fields: {
      customer: idOf(charge.customer),
      amount: numberOf(charge.amount) ?? undefined,
      refunded: numberOf(charge.amount_refunded) ?? 0,
      method: METHODS[details ?? ''] ?? 'OTHER',
      paidAt: instantOfSeconds(charge.created) ?? undefined,
    },
    problems: isBrl ? [] : [{ field: 'currency', problem: 'must be BRL: Recebe has no other currency' }],
  };
}
