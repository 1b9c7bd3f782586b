import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import type { TimeWindow } from '../providers/ports/pages.ts';
import type { ProviderWith } from '../providers/provider.ts';
import { compareListedDebits, type MandateDifference } from './compare-mandates.ts';

const CANCELLED: readonly MandateDifference['problem'][] = [
  'DEBIT_MISSING_HERE',
  'DEBIT_NOT_CANCELLED_AT_BANK',
];

/**
 * Cancels debits that a bank has scheduled and nobody wants here: their row was lost with a database that was restored, or the bank
 * had refused or cancelled them and has them all the same. A payer would be debited for nothing. One whose due date has begun cannot be cancelled:
 * its money goes back, or a person is asked about it.
 * @param time in which they were created. It must be over for some hours, so that rounds have planned what was lost.
 * @returns how many were cancelled.
 */
export async function cancelUnwantedDebits(
  { database, log }: { readonly database: Database; readonly log: Logger },
  provider: ProviderWith<'mandates'>,
  time: TimeWindow,
  now: Date,
): Promise<number> {
  const differences = await compareListedDebits(database.em.fork(), provider, time);
  let cancelled = 0;
  for (const { problem, providerId, id } of differences) {
    if (!CANCELLED.includes(problem)) continue;
    const { outcome } = await provider.mandates.cancelInstruction(providerId, now);
    log.warn({ accountId: provider.name, problem, providerId, debitId: id, outcome }, 'unwanted debit');
    if (outcome === 'CANCELLED') cancelled += 1;
  }
  return cancelled;
}
