import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Debit } from '../database/entities/debit.ts';
import { advanceDebit, type DebitDeps } from './advance-debit.ts';

const ORDERED_AT_ONCE = 8;
/** A bank that takes longer, or is away, keeps a round from nothing else: the workflows of the debits order them. */
const PATIENCE_MS = 3_000;

/**
 * Orders planned debits and starts their workflows. Most banks answer at once: the workflow then has work on the due date only. An order
 * whose answer comes too late, or is lost, is repeated by the workflow.
 * @param areBanksFast false: the workflows order, because a bank was slow in this round.
 * @returns whether all banks were fast.
 */
export async function startDebits(
  deps: DebitDeps,
  debits: readonly Debit[],
  now: Date,
  areBanksFast: boolean,
): Promise<boolean> {
  let ordersNow = areBanksFast;
  await pLimit(ORDERED_AT_ONCE).map(debits, async (debit) => {
    const ordered = ordersNow ? await orderedSoon(deps, debit, now) : null;
    if (ordered === null) ordersNow = false;
    // If this process dies here, the auditor starts the workflow.
    await deps.startDebit(ordered ?? debit);
  });
  return ordersNow;
}

/** @returns the debit afterwards; null if the bank has not answered in time, or failed. */
async function orderedSoon(deps: DebitDeps, debit: Debit, now: Date): Promise<Debit | null> {
  const ordering = advanceDebit(deps, debit.id, now).catch((error: unknown) => {
    deps.log.warn({ debitId: debit.id, err: error }, 'a debit is not ordered yet');
    return null;
  });
  const step = await Promise.race([ordering, sleep(PATIENCE_MS, null, { ref: false })]);
  if (step === null) return null;
  const { status, nextAtMs } = step;
  return { ...debit, status, nextAt: nextAtMs === null ? null : new Date(nextAtMs) };
}
