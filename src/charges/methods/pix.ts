import { pixDeadlines, pixDeadlinesOfPaid } from '../../domain/charge-deadlines.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { issuedOf } from './issued-of.ts';
import type { Method } from './method.ts';

/** A code that the payer's bank reads; payments take seconds. */
export const pix: Method<'PIX'> = {
  idKind: 'pixCharge',
  ...METHOD_TRAITS.PIX,
  givenUpAs: 'pix_expired',
  refundRefusal: null,
  /** At once. */
  settlesAt: (paidAt) => paidAt,
  async issue({ id, amountCents, description, beneficiary, payer, provider, now }, { expiresInSeconds }) {
    const answer = await provider.pix.issue({
      chargeId: id,
      amountCents,
      description,
      beneficiary: await beneficiary(),
      payer,
      expiresInSeconds: Math.ceil(expiresInSeconds),
      now,
    });
    const { issued, payment } = issuedOf(answer);
    const { reference, brCode, expiresAt: codeExpiresAt = null } = issued;
    return {
      provider: provider.name,
      providerReference: reference,
      brCode,
      codeExpiresAt,
      codeStatus: payment === null ? null : 'PAID',
      ...(payment === null
        ? pixDeadlines(expiresInSeconds, now, codeExpiresAt)
        : pixDeadlinesOfPaid(payment.paidAt, now)),
    };
  },
};
