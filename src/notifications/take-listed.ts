import { closeNegativeBalances } from '../database/provider-refunds.ts';
import type { ListedPayments } from '../domain/reconciliation.ts';
import { forEachAccount } from './each-account.ts';
import { PaymentsRound, type PaymentsRoundDeps } from './payments-round.ts';

/**
 * Asks every provider of real money that can list payments what was paid since it was last asked, and has the workflow of
 * each charge look whose payment is not written here, as a notification would; and of each whose payment its payer's bank
 * takes back. What belongs to no charge is noted for a person, once. What was issued and never stored is taken back. How
 * far an account is listed is noted only where all before has been dealt with; one that fails holds up
 * no other, and the next round begins where it was.
 *
 * @param isOver asked between two pages; ends the round early by throwing.
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
