import { addBusinessDays } from '../../domain/business-days.ts';
import { boletoDeadlines } from '../../domain/charge-deadlines.ts';
import { saoPauloDateOf, saoPauloMidnight } from '../../domain/civil-date.ts';
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
  async issue({ id, amountCents, description, beneficiary, provider }, { dueDate, interest, fine }) {
    const issue = { chargeId: id, amountCents, description, beneficiary: await beneficiary(), dueDate };
    const { reference, brCode, barCode, ourNumber } = await provider.issueBoleto(issue);
    return {
      provider: provider.name,
      providerReference: reference,
      brCode,
      barCode,
      ourNumber,
      dueDate,
      interest,
      fine,
      ...boletoDeadlines(dueDate, interest, fine),
    };
  },
};
