import type { ChargeId } from '../src/domain/ids.ts';
import { advanceDebit, type DebitDeps, type DebitStep } from '../src/mandates/advance-debit.ts';

interface Advance {
  readonly debitId: ChargeId;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Debits under mandates. */
export function createDebitActivities(deps: DebitDeps) {
  return {
    /** @see advanceDebit */
    advanceDebit: ({ debitId, nowMs }: Advance): Promise<DebitStep> =>
      advanceDebit(deps, debitId, new Date(nowMs)),
  };
}
