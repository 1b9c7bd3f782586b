import type { Payout } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../../domain/civil-date.ts';
import { formatBrl } from '../../domain/money.ts';
import { approvalNeededBy, hoursAfter } from '../../domain/payout-approval.ts';
import type { PayoutControls } from '../../domain/payout-controls.ts';
import {
  isKnownPayee,
  payoutControlsOf,
  sentCentsBetween,
  sentCentsToPayee,
} from '../../payouts/payout-controls.ts';
import { brokenRule } from '../frame/errors.ts';
import type { Rule } from '../frame/rules.ts';

type Approval = Pick<Payout, 'approval' | 'approvalReasons' | 'approvalDueAt'>;

/**
 * Checks a new payout against the store's limits, and decides whether it needs an approval. The caller holds
 * the lock on the store's balance until the payout is inserted, so the limits also hold for parallel payouts
 * in other processes.
 * @throws ApiError 422 PAYOUT_LIMIT_EXCEEDED. Rule and message name the limit.
 */
export async function controlPayout(em: Em, payout: Payout): Promise<Approval> {
  const controls = await payoutControlsOf(em, payout);
  await refuseAboveLimits(em, payout, controls);
  const isToNewPayee = await isNewPayee(em, payout, controls);
  const { amountCents, createdAt } = payout;
  const needed = approvalNeededBy(controls, { amountCents, createdAt, isToNewPayee });
  if (needed === null) return { approval: null, approvalReasons: null, approvalDueAt: null };
  return { approval: 'WAITING', approvalReasons: [...needed.reasons], approvalDueAt: needed.dueAt };
}

async function refuseAboveLimits(em: Em, payout: Payout, controls: PayoutControls): Promise<void> {
  const { amountCents, payeeKey, storeId, devMode } = payout;
  const { maxPayoutCents, maxDayCents, maxPayeeDayCents } = controls;
  if (maxPayoutCents !== null && amountCents > maxPayoutCents)
    throw overLimit('PAYOUT_TOO_LARGE', `this store sends at most ${brl(maxPayoutCents)} at a time`);
  const today = saoPauloDateOf(payout.createdAt);
  const day = { storeId, devMode, from: saoPauloMidnight(today), to: saoPauloMidnight(addDays(today, 1)) };
  if (maxDayCents !== null) {
    const leftCents = maxDayCents - (await sentCentsBetween(em, day));
    if (amountCents > leftCents)
      throw overLimit('DAY_LIMIT_REACHED', `${limitOf(maxDayCents)} a day, and ${leftOf(leftCents)} today`);
  }
  if (maxPayeeDayCents !== null && payeeKey !== null) {
    const leftCents = maxPayeeDayCents - (await sentCentsToPayee(em, payeeKey, day));
    if (amountCents > leftCents)
      throw overLimit(
        'PAYEE_LIMIT_REACHED',
        `${limitOf(maxPayeeDayCents)} a day to one PIX key, and ${leftOf(leftCents)} for this key today`,
      );
  }
}

/** The store's own account has no PIX key here, and is never a new payee. */
async function isNewPayee(em: Em, payout: Payout, { newPayeeWaitHours }: PayoutControls): Promise<boolean> {
  const { payeeKey, createdAt } = payout;
  if (newPayeeWaitHours === null || payeeKey === null) return false;
  return !(await isKnownPayee(em, payout, payeeKey, hoursAfter(createdAt, -newPayeeWaitHours)));
}

function overLimit(rule: Rule, message: string) {
  return brokenRule(rule, 'amount', message);
}

function limitOf(cents: number): string {
  return `this store sends at most ${brl(cents)}`;
}

function leftOf(cents: number): string {
  return `${brl(Math.max(0, cents))} is left`;
}

function brl(cents: number): string {
  return `${formatBrl(cents)} (${cents} cents)`;
}
