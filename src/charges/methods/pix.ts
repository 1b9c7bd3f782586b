import { hasLateCharges } from '../../domain/charge.ts';
import { duePixDeadlines, pixDeadlines, pixDeadlinesOfPaid } from '../../domain/charge-deadlines.ts';
import { LATE_PAYMENT_WINDOW_DAYS } from '../../domain/last-day-to-pay.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import type { IssuedPix } from '../../providers/ports/pix.ts';
import { withPort } from '../../providers/provider.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { type IssuedCode, issuedOf } from './issued-of.ts';
import type { Issued, Method, Terms, ToIssue } from './method.ts';

/** A code that the payer's bank reads; payments take seconds. With a due date its bank computes the amount of the day. */
export const pix: Method<'PIX'> = {
  idKind: 'pixCharge',
  ...METHOD_TRAITS.PIX,
  served: (provider) => withPort(provider, 'pix'),
  givenUpAs: 'pix_expired',
  refundRefusal: null,
  /** At once. */
  settlesAt: (paidAt) => paidAt,
  async issue(charge, terms) {
    return 'dueDate' in terms ? issueDue(charge, terms) : issueImmediate(charge, terms.expiresInSeconds);
  },
};

async function issueImmediate(charge: ToIssue<'PIX'>, expiresInSeconds: number): Promise<Issued> {
  const { provider, now } = charge;
  const request = await requestOf(charge);
  const answer = await provider.pix.issue({ ...request, expiresInSeconds: Math.ceil(expiresInSeconds) });
  const code = issuedOf(answer);
  const codeExpiresAt = code.issued.expiresAt ?? null;
  return {
    ...codeOf(charge, code),
    codeExpiresAt,
    ...(code.payment === null
      ? pixDeadlines(expiresInSeconds, now, codeExpiresAt)
      : pixDeadlinesOfPaid(code.payment.paidAt, now)),
  };
}

/** @throws ProviderError UNSUPPORTED if the provider has no codes with a due date. */
async function issueDue(
  charge: ToIssue<'PIX'>,
  { dueDate, interest, fine }: Extract<Terms['PIX'], { readonly dueDate: unknown }>,
): Promise<Issued> {
  const { provider, now } = charge;
  if (provider.pix.issueDue === undefined)
    throw new ProviderError('UNSUPPORTED', 'this provider has no PIX codes with a due date');
  const late = { dueDate, interest, fine };
  const daysPayableAfterDueDate = hasLateCharges(late) ? LATE_PAYMENT_WINDOW_DAYS : 0;
  const request = { ...(await requestOf(charge)), ...late, daysPayableAfterDueDate };
  const code = issuedOf(await provider.pix.issueDue(request));
  return {
    ...codeOf(charge, code),
    ...late,
    ...(code.payment === null
      ? duePixDeadlines(dueDate, interest, fine)
      : pixDeadlinesOfPaid(code.payment.paidAt, now)),
  };
}

async function requestOf({ id, amountCents, description, beneficiary, payer, now }: ToIssue<'PIX'>) {
  return { chargeId: id, amountCents, description, beneficiary: await beneficiary(), payer, now };
}

function codeOf({ provider }: ToIssue<'PIX'>, { issued, payment }: IssuedCode<IssuedPix>) {
  const { reference: providerReference, brCode } = issued;
  const codeStatus = payment === null ? null : ('PAID' as const);
  return { provider: provider.name, providerReference, brCode, codeStatus };
}
