import type { IssueAnswer, ProviderPayment } from '../../providers/provider.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { DeadCode } from './dead-code.ts';

/** What the rail has issued, and the payment of a code that somebody has paid before its charge was stored. */
export interface IssuedCode<Issued> {
  readonly issued: Issued;
  readonly payment: ProviderPayment | null;
}

/**
 * What the rail has issued.
 * @throws ProviderError INVALID where it refuses. RETRY where it issues later: no charge waits for its codes, so whoever
 *   asked asks again, and gets what has been issued meanwhile.
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
