import type { ListedTransfers } from '../domain/reconciliation.ts';
import { forEachAccount } from './each-account.ts';
import { SentRound, type SentRoundDeps } from './sent-round.ts';

/**
 * Asks every provider that lists what was sent: books what came back of payouts and transfers, and what was sent although
 * it had FAILED here, and notes for a person what was not ordered here. It depends on no workflow, since money may
 * come back weeks after a payout's workflow has ended. An account that fails holds up no other, and the next round
 * begins where it was.
 *
 * @param isOver asked between two pages; ends the round early by throwing.
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
