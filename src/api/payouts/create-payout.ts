import { hash } from 'node:crypto';
import { personalNumbersOf } from '../../database/encryption/sealed-text.ts';
import { NEW_PAYOUT, type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import type { SubAccountId } from '../../domain/ids.ts';
import { payoutReservedAmounts, sentMoneyOf } from '../../domain/ledger.ts';
import { formatBrl } from '../../domain/money.ts';
import { payeeKeyOf } from '../../domain/payee.ts';
import { PAYOUT_INTERVAL_MS, type PayoutKind, type PixDestination } from '../../domain/payout.ts';
import { parseBrCode } from '../../domain/pix.ts';
import { otherAmountOf, PIX_KEY_RULES, parsePixKey } from '../../domain/pix-key.ts';
import { payoutIdOf } from '../../ids.ts';
import { lockBalance } from '../../ledger/balance.ts';
import { writeMovement } from '../../ledger/write-movement.ts';
import { holdCreatorAuthority, holdMoneyAuthority } from '../../payouts/money-authority.ts';
import { payeeHashOf } from '../../payouts/payee-hash.ts';
import { payWithdrawal, subAccountBalanceCents } from '../../sub-accounts/withdrawals.ts';
import { payoutStart } from '../../temporal/payout.ts';
import { ApiError, brokenRule, fieldError } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireProvider } from '../frame/require-provider.ts';
import { controlPayout } from './control-payout.ts';
import { requireFundsAtAccount } from './funds-at-account.ts';
import { joinRecovered } from './join-recovered.ts';
import { requireTxidCarried } from './require-txid-carried.ts';

/** A payout's amount and destination. */
export interface PayoutOrder {
  readonly kind: PayoutKind;
  readonly amountCents: number;
  readonly externalId: string;
  readonly description: string | null;
  /** Null for the store's own account. */
  readonly destination: PixDestination | null;
  /** The sub-account whose money it is; absent for the store's own. */
  readonly subAccountId?: SubAccountId;
}

/** The path of the PIX key in request bodies (contract section 3). */
const PATH = 'pix.key';

const ONLY_OWN_ACCOUNT =
  "The store's provider sends money to the store's own account only: use payouts/create";
const ONLY_PIX_KEYS =
  "The store's provider account has no `payoutKey`, the PIX key of the store's own account: the operator of the service " +
  'sets it with `accounts rotate <id> --setting payoutKey=<key>`. Until then use pix/send';

/**
 * The destination key in stored form.
 * @throws ApiError 422 at `pix.key` if the key does not fit its type, or a BR Code requires another amount.
 */
export function pixDestination({ type, key: text }: PixDestination, amountCents: number): PixDestination {
  const key = parsePixKey(type, text);
  if (key === null) throw fieldError(422, 'INVALID_PIX_KEY', PATH, PIX_KEY_RULES[type]);
  const asked = type === 'BR_CODE' ? otherAmountOf(key, amountCents) : null;
  if (asked === null)
    return { type, key, txid: type === 'BR_CODE' ? (parseBrCode(key)?.txid ?? null) : null };
  const message = `asks for ${formatBrl(asked)} (${asked} cents), but amount is ${formatBrl(amountCents)} (${amountCents} cents)`;
  throw fieldError(422, 'INVALID_PIX_KEY', PATH, message);
}

function endedKey(): ApiError {
  return new ApiError(403, 'PERMISSION_DENIED', 'The API key may not send money any more');
}

/**
 * Inserts a payout or transfer and reserves its money, in one transaction that locks the store's balance: two
 * parallel payouts cannot both spend the last cent. The workflow starts after the commit. The same
 * `externalId` with the same content returns the existing payout (contract section 1, "Idempotency").
 *
 * @throws ApiError 409 if `externalId` belongs to another payout; 422 if the balance is too low, the money is
 * at another account, a limit is exceeded, or there is no provider; 429 if the store created a payout less
 * than a minute ago; NoAuthority and MoneyWaits for people, who may have lost permission since their page was
 * shown.
 */
export async function createPayout(request: ApiRequest, order: PayoutOrder): Promise<Payout> {
  const { deps, key, now, requestId } = request;
  const provider = await requireProvider(request, 'PAYOUT', order.destination === null ? null : 'pix');
  const { ownAccount, pixKey } = provider.payouts;
  if (order.destination === null ? !ownAccount : !pixKey)
    throw brokenRule('METHOD_NOT_POSSIBLE', null, ownAccount ? ONLY_OWN_ACCOUNT : ONLY_PIX_KEYS);
  const wanted = newPayout(request, order, provider.name);
  const payout = await request.transaction(async (em) => {
    await holdMoneyAuthority(em, key, 'payout', request.realNow);
    // It may have waited for its turn since its key was checked.
    if (!(await holdCreatorAuthority(em, wanted, request.realNow))) throw endedKey();
    // Before locking the balance, in the lock order of the code that ends payouts: row first.
    const recovered = await joinRecovered(em, wanted);
    if (recovered !== null) {
      await payRecovered(em, recovered, now);
      await request.recordAction(em, recovered.id, { amount: recovered.amountCents });
      return recovered;
    }
    const { availableCents } = await lockBalance(em, key);
    const existing = await existingPayout(em, wanted, contentHashOf(order));
    if (existing !== null) return existing;
    requireTxidCarried(order, provider.payouts);
    if (order.kind === 'PAYOUT') await refuseTooSoon(em, wanted);
    const neededCents = wanted.amountCents + wanted.platformFeeCents;
    await requireFunds(em, wanted, neededCents, availableCents);
    await requireFundsAtAccount(em, wanted, neededCents);
    Object.assign(wanted, await controlPayout(em, wanted));
    await em.insert(PayoutEntity, wanted);
    await payWithdrawal(em, wanted, { kind: 'PAYOUT_RESERVED', subjectId: wanted.id, now });
    const amounts = payoutReservedAmounts(sentMoneyOf(wanted));
    await writeMovement(em, wanted, {
      kind: 'PAYOUT_RESERVED',
      subjectId: wanted.id,
      amounts,
      createdAt: now,
    });
    await request.recordAction(em, wanted.id, { amount: wanted.amountCents });
    return wanted;
  });
  request.about.payoutId = payout.id;
  // A waiting payout starts when it is approved or released.
  if (payout === wanted && payout.approval === null)
    request.afterCommit(() => deps.starter.startSoon(payoutStart(payout, requestId)));
  return payout;
}

function newPayout({ em, key, now }: ApiRequest, order: PayoutOrder, provider: string): Payout {
  const { destination, ...given } = order;
  const payeeKey = destination === null ? null : payeeKeyOf(destination);
  return {
    ...NEW_PAYOUT,
    id: payoutIdOf({ ...key, ...given }),
    ...given,
    storeId: key.storeId,
    devMode: key.devMode,
    provider,
    contentHash: personalNumbersOf(em).fingerprint(contentHashOf(order)),
    pixKeyType: destination?.type ?? null,
    pixKey: destination?.key ?? null,
    payeeKey,
    payeeHash: payeeHashOf(em, key, payeeKey),
    payeeTxid: destination?.txid ?? null,
    creatorId: key.actorId,
    createdAt: now,
    updatedAt: now,
  };
}

/** Hashes the key in stored form, so that formatting does not change the content. */
function contentHashOf({ amountCents, description, destination, subAccountId }: PayoutOrder): string {
  const to = destination === null ? null : [destination.type, destination.key];
  const content = [amountCents, description, to, ...(subAccountId === undefined ? [] : [subAccountId])];
  return hash('sha256', JSON.stringify(content));
}

/** @throws ApiError 409 if the payout with this `externalId` has other content. */
async function existingPayout(em: Em, wanted: Payout, plainHash: string): Promise<Payout | null> {
  const { storeId, devMode, kind, externalId } = wanted;
  const where = { storeId, devMode, kind, externalId };
  const existing = await em.findOne(PayoutEntity, where, { disableIdentityMap: true });
  if (existing === null) return null;
  if (personalNumbersOf(em).fingerprints(plainHash).includes(existing.contentHash)) return existing;
  const what = kind === 'PAYOUT' ? 'payout' : 'transfer';
  const message = `is taken by a ${what} with other content; use another one`;
  throw fieldError(409, 'EXTERNAL_ID_CONFLICT', 'externalId', message);
}

async function refuseTooSoon(em: Em, { storeId, devMode, createdAt }: Payout): Promise<void> {
  const since = new Date(createdAt.getTime() - PAYOUT_INTERVAL_MS);
  const where = { storeId, devMode, kind: 'PAYOUT' as const, createdAt: { $gt: since } };
  const [last] = await em.find(PayoutEntity, where, { orderBy: { createdAt: 'desc' }, limit: 1 });
  if (last === undefined) return;
  const waitMs = last.createdAt.getTime() + PAYOUT_INTERVAL_MS - createdAt.getTime();
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1_000)));
  const message = `One payout a minute: try again in ${seconds} seconds`;
  throw new ApiError(429, 'TOO_MANY_PAYOUTS', message, undefined, { 'Retry-After': seconds });
}

/** The caller holds the lock on the store's balance, which also covers those of its sub-accounts. */
async function requireFunds(
  em: Em,
  payout: Payout,
  neededCents: number,
  availableCents: number,
): Promise<void> {
  const { subAccountId } = payout;
  const haveCents =
    subAccountId === null ? availableCents : await subAccountBalanceCents(em, payout, subAccountId);
  if (haveCents >= neededCents) return;
  const whose = subAccountId === null ? 'available balance' : 'balance of the sub-account';
  throw fieldError(422, 'INSUFFICIENT_FUNDS', 'amount', `the ${whose} does not cover ${neededCents} cents`);
}

/** A withdrawal that was rebuilt after a restore was debited from the store: its sub-account was not known. */
async function payRecovered(em: Em, payout: Payout, now: Date): Promise<void> {
  if (payout.subAccountId === null || payout.status === 'FAILED' || payout.returnedCents > 0) return;
  await payWithdrawal(em, payout, { kind: 'PAYOUT_RESERVED', subjectId: payout.id, now });
}
