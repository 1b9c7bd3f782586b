import type { IssueAnswer } from '../../providers/provider.ts';
import { ProviderError } from '../../providers/provider-error.ts';

/**
 * What the rail has issued.
 * @throws ProviderError INVALID where it refuses. RETRY where it issues later: no charge waits for its codes, so whoever
 *   asked asks again, and gets what has been issued meanwhile.
 */
export function issuedOf<Issued>(answer: IssueAnswer<Issued>): Issued {
  switch (answer.outcome) {
    case 'ISSUED':
      return answer.issued;
    case 'REFUSED':
      throw new ProviderError('INVALID', `the provider issues no such charge: ${answer.reason}`);
    case 'PENDING':
      throw new ProviderError('RETRY', 'the provider has not issued the charge yet', {
        retryAfterMs: answer.pollAfterMs,
      });
  }
}
