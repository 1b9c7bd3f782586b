import { z } from 'zod';
import type { ProductCycle } from '../domain/cycle.ts';
import { type DebitRetries, debitRetriesOf } from '../domain/debit.ts';

/** How often a failed debit is tried again, and after how many days (contract section 6.10). */
export const debitRetryPolicy = z
  .object({ maxRetry: z.int(), retryEvery: z.int() })
  .nullable()
  .meta({
    description:
      "The part of `retryPolicy` that Banco Central's rules allow for debits of Pix Automático: at most three further attempts within seven days, " +
      'of weekly plans within four. Null without Pix Automático.',
  });

/** The policy for debits as the API shows it. @param wanted the store's retry policy. */
export function presentDebitRetryPolicy(
  wanted: DebitRetries,
  cycle: ProductCycle,
): z.output<typeof debitRetryPolicy> {
  const { maxRetry, retryEveryDays } = debitRetriesOf(wanted, cycle);
  return { maxRetry, retryEvery: retryEveryDays };
}
