import type { Payout } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import { formatBrl, formatSignedBrl } from '../../domain/money.ts';
import { accountsOf, moneyThere, ownMoneyThere } from '../../ledger/clearing.ts';
import type { MovementOwner } from '../../ledger/write-movement.ts';
import { fieldError } from '../frame/errors.ts';

/**
 * Refuses a payout if its money is at another account than the one that sends it: a store may receive
 * payments at one account and send payouts from another. The caller holds the lock on the store's balance
 * (`lockBalance`), which also covers the amounts per account, and has checked that the total balance is high
 * enough.
 *
 * A dev environment has one account, so there is nothing to check.
 *
 * @param amountCents with the fee, which stays at that account.
 * @throws ApiError 422 that names the account, the amounts there and elsewhere, and the solution.
 */
export async function requireFundsAtAccount(
  em: Em,
  payout: MovementOwner & Pick<Payout, 'subAccountId'>,
  amountCents: number,
): Promise<void> {
  if (payout.devMode) return;
  const accounts = await accountsOf(em, payout);
  const sendable = payout.subAccountId === null ? ownMoneyThere : moneyThere;
  const sender = accounts.find(({ id }) => id === payout.provider);
  const there = sender === undefined ? 0 : sendable(sender);
  if (there >= amountCents) return;
  const others = accounts
    .filter((account) => account.id !== payout.provider && sendable(account) > 0)
    .map((account) => `${formatBrl(sendable(account))} at ${account.id}`);
  const message =
    `is more than lies at ${payout.provider}, the account that sends payouts: ${formatSignedBrl(there)} can be sent from ` +
    `there. The rest of the balance lies elsewhere: ${others.join(', ')}. Move the money at the bank to the account that ` +
    'sends payouts, and have an operator record it with "accounts record-move"';
  throw fieldError(422, 'INSUFFICIENT_FUNDS_AT_ACCOUNT', 'amount', message);
}
