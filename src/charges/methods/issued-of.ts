import type { IssueAnswer } from '../../providers/ports/issuing.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { DeadCode } from './dead-code.ts';

/** The issued code, and its payment if someone paid it before the charge was stored. */
export interface IssuedCode<Issued> {
  readonly issued: Issued;
  readonly payment: ProviderPayment | null;
}

/**
 * Extracts the issued code.
 * @throws ProviderError INVALID if the provider refuses. RETRY if it issues later: a charge never waits for its
 *   code, so the caller retries and gets the code issued meanwhile.
 * @throws DeadCode
 */
export function issuedOf<Issued>(answer: IssueAnswer<Issued>): IssuedCode<Issued> {
  switch (answer.outcome) {
    case 'ISSUED':
      return { issued: answer.issued, payment: null };
    case 'PAID':
      return { issued: answer.issued, payment: answer.payment };
    case 'DEAD':
      throw new DeadCode(answer.reason);
    case 'REFUSED':
      throw new ProviderError('INVALID', `the provider issues no such charge: ${answer.reason}`);
    case 'PENDING':
      throw new ProviderError('RETRY', 'the provider has not issued the charge yet', {
        retryAfterMs: answer.pollAfterMs,
      });
  }
}
