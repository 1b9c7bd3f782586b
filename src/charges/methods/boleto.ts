import { addBusinessDays } from '../../domain/business-days.ts';
import { boletoDeadlines } from '../../domain/charge-deadlines.ts';
import { saoPauloDateOf, saoPauloMidnight } from '../../domain/civil-date.ts';
import { hasLateCharges, LATE_PAYMENT_WINDOW_DAYS } from '../../domain/late-charges.ts';
import { issuedOf } from './issued-of.ts';
import type { Method } from './method.ts';

/**
 * A slip with a due date, paid at any bank; with interest or fine also some time after it
 * (domain/late-charges.ts).
 */
export const boleto: Method<'BOLETO'> = {
  idKind: 'boletoCharge',
  decidedBy: 'PAYER',
  // What a bank takes for a boleto makes smaller ones pointless (contract section 4).
  minCents: 300,
  namesPayer: true,
  givenUpAs: 'processing_error',
  // Its payer is known by no account that money could go back to.
  refundRefusal: 'INVALID_METHOD',
  /** As the next business day begins in São Paulo. */
  settlesAt: (paidAt) => saoPauloMidnight(addBusinessDays(saoPauloDateOf(paidAt), 1)),
  async issue({ id, amountCents, description, beneficiary, payer, provider }, { dueDate, interest, fine }) {
    const answer = await provider.issueBoleto({
      chargeId: id,
      amountCents,
      description,
      beneficiary: await beneficiary(),
      payer,
      dueDate,
      interest,
      fine,
      daysPayableAfterDueDate: hasLateCharges({ interest, fine }) ? LATE_PAYMENT_WINDOW_DAYS : 0,
    });
    const { reference, ...codes } = issuedOf(answer).issued;
    return {
      provider: provider.name,
      providerReference: reference,
      ...codes,
      dueDate,
      interest,
      fine,
      ...boletoDeadlines(dueDate, interest, fine),
    };
  },
};
