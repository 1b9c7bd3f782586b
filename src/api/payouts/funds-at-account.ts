import { accountsOf } from '../../database/ledger/clearing.ts';
import type { MovementOwner } from '../../database/ledger/ledger.ts';
import type { Em } from '../../database/orm.ts';
import { formatBrl, formatSignedBrl } from '../../domain/money.ts';
import { fieldError } from '../frame/errors.ts';

/**
 * Refuses a payout of money that does not lie at the account that would send it: a store may be paid at one account and
 * pay out from another one. The caller holds the store's balance (`lockBalance`), and with it what lies at each of its
 * accounts, and has found that the store has enough.
 *
 * A dev environment has one account, so nothing is left to check.
 *
 * @param owner the payout: its store, its environment and the account that sends it.
 * @param amountCents with the fee, which stays at that account.
 * @throws ApiError 422 that names the account, what lies there and elsewhere, and what to do.
 */
export async function requireFundsAtAccount(
  em: Em,
  owner: MovementOwner,
  amountCents: number,
): Promise<void> {
  if (owner.devMode) return;
  const accounts = await accountsOf(em, owner);
  const there = accounts.find(({ id }) => id === owner.provider)?.availableCents ?? 0;
  if (there >= amountCents) return;
  const elsewhere = accounts.filter(({ id, availableCents }) => id !== owner.provider && availableCents > 0);
  const others = elsewhere.map(({ id, availableCents }) => `${formatBrl(availableCents)} at ${id}`);
  const message =
    `is more than lies at ${owner.provider}, the account that sends payouts: ${formatSignedBrl(there)} can be sent from ` +
    `there. The rest of the balance lies elsewhere: ${others.join(', ')}. Move the money at the bank to the account that ` +
    'sends payouts, and have an operator record it with "accounts record-move"';
  throw fieldError(422, 'INSUFFICIENT_FUNDS_AT_ACCOUNT', 'amount', message);
}
