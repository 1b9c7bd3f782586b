import type { ListedTransfers } from '../domain/reconciliation.ts';
import { forEachAccount } from './each-account.ts';
import { SentRound, type SentRoundDeps } from './sent-round.ts';

/**
 * Asks every provider for its sent transfers. It books returns of payouts and transfers, and transfers that were
 * sent although they had FAILED here. It notes for a person what Recebe did not order. No workflow is involved,
 * since money may come back weeks after a payout's workflow has ended. A failing account delays no other, and the
 * next round continues from its position.
 *
 * @param isOver called between two pages; throws to end the round early.
 */
export async function takeSent(
  deps: SentRoundDeps,
  now: Date,
  isOver: () => void = () => {},
): Promise<ListedTransfers> {
  const counts = { sentFailed: 0, returned: 0, revived: 0, unknownSent: 0 };
  await forEachAccount(deps.database, now, isOver, async (account) => {
    const round = new SentRound(deps, account, now, isOver);
    if (!(await round.run())) counts.sentFailed += 1;
    counts.returned += round.returned;
    counts.revived += round.revived;
    counts.unknownSent += round.unknown;
  });
  return counts;
}
