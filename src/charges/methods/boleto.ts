import { addBusinessDays } from '../../domain/business-days.ts';
import { hasLateCharges } from '../../domain/charge.ts';
import { boletoDeadlines } from '../../domain/charge-deadlines.ts';
import { saoPauloDateOf, saoPauloMidnight } from '../../domain/civil-date.ts';
import { LATE_PAYMENT_WINDOW_DAYS } from '../../domain/last-day-to-pay.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { withPort } from '../../providers/provider.ts';
import { boletoRefusals } from '../boleto-limits.ts';
import { issuedOf } from './issued-of.ts';
import type { Method } from './method.ts';

/**
 * A slip with a due date, payable at any bank. With interest or fine it stays payable for some time afterwards
 * (domain/fine-and-interest.ts).
 */
export const boleto: Method<'BOLETO'> = {
  idKind: 'boletoCharge',
  ...METHOD_TRAITS.BOLETO,
  served: (provider) => withPort(provider, 'boletos'),
  givenUpAs: 'processing_error',
  // A boleto's payer has no known account for a refund.
  refundRefusal: 'INVALID_METHOD',
  /** At the start of the next business day in São Paulo. */
  settlesAt: (paidAt) => saoPauloMidnight(addBusinessDays(saoPauloDateOf(paidAt), 1)),
  refusals: ({ amountCents, payer, provider, now }, terms) =>
    boletoRefusals(provider.boletos, { amountCents, payer, now, ...terms }),
  async issue(
    { id, amountCents, description, beneficiary, payer, provider, now },
    { dueDate, interest, fine },
  ) {
    const answer = await provider.boletos.issue({
      chargeId: id,
      amountCents,
      description,
      beneficiary: await beneficiary(),
      payer,
      now,
      dueDate,
      interest,
      fine,
      daysPayableAfterDueDate: hasLateCharges({ interest, fine }) ? LATE_PAYMENT_WINDOW_DAYS : 0,
    });
    const { reference, reportedBy = null, ...codes } = issuedOf(answer).issued;
    const deadlines = boletoDeadlines(dueDate, interest, fine);
    return {
      provider: provider.name,
      providerReference: reference,
      ...codes,
      dueDate,
      interest,
      fine,
      ...deadlines,
      closesAt: new Date(Math.max(deadlines.closesAt.getTime(), reportedBy?.getTime() ?? 0)),
    };
  },
};
