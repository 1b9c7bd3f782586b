import type { ListedPayments } from '../domain/reconciliation.ts';
import { forEachAccount } from './each-account.ts';
import { PaymentsRound, type PaymentsRoundDeps } from './payments-round.ts';
import { closeNegativeBalances } from './provider-refunds.ts';

/**
 * Asks every provider of real money for its new payments. It notifies the workflow of each charge whose payment is
 * missing here or disputed by the payer's bank. A payment of no charge is noted for a person, once.
 * Issued charges that were never stored are closed. An account's position moves only once everything before it is
 * handled. A failing account delays no other, and the next round continues from its position.
 *
 * @param isOver called between two pages; throws to end the round early.
 */
export async function takeListed(
  deps: PaymentsRoundDeps,
  now: Date,
  isOver: () => void = () => {},
): Promise<ListedPayments> {
  const counts = { accounts: 0, failed: 0, taken: 0, disputed: 0, unknown: 0, takenBack: 0 };
  await forEachAccount(deps.database, now, isOver, async (account) => {
    const round = new PaymentsRound(deps, account, now, isOver);
    const ended = await round.run();
    if (ended !== 'UNLISTED') counts.accounts += 1;
    if (ended === 'FAILED') counts.failed += 1;
    counts.taken += round.taken;
    counts.disputed += round.disputed;
    counts.unknown += round.unknown;
    counts.takenBack += round.takenBack;
  });
  await closeNegativeBalances(deps.database, { now });
  return counts;
}
