import type { SubAccount } from '../../database/entities/sub-account.ts';
import type { SubAccountId } from '../../domain/ids.ts';
import { formatBrl } from '../../domain/money.ts';
import { platformFeeCentsOf } from '../../domain/platform-fee.ts';
import type { Split } from '../../domain/sub-account.ts';
import { brokenRule, together } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { findSubAccounts } from '../sub-accounts/queries.ts';
import type { CreateBody } from './schema.ts';

/** The splits of a request; null if it has none. */
export function splitsIn(body: CreateBody): readonly Split[] | null {
  const sent = 'splits' in body.data ? body.data.splits : null;
  if (!sent) return null;
  return sent.map(({ subAccountId, amount }) => ({
    subAccountId: subAccountId as SubAccountId,
    amountCents: amount,
  }));
}

/**
 * Refuses splits to sub-accounts that the store does not have, or of more than the payment without its fee.
 * @throws ApiError 422 that names every wrong field.
 */
export async function refuseWrongSplits({ em, key, deps }: ApiRequest, body: CreateBody): Promise<void> {
  const splits = splitsIn(body);
  if (splits === null) return;
  const ids = splits.map(({ subAccountId }) => subAccountId);
  const known = await findSubAccounts(em, key, ids);
  const wrong = [...unknown(splits, known), ...tooMuch(splits, body.data.amount, deps.config.platformFee)];
  if (wrong.length > 0) throw together(wrong);
}

function unknown(splits: readonly Split[], known: readonly SubAccount[]) {
  const ids = new Set(known.map(({ id }) => id));
  return splits.flatMap(({ subAccountId }, index) => {
    if (ids.has(subAccountId)) return [];
    const message = 'is no sub-account of this store and environment: see sub-accounts/list';
    return [brokenRule('UNKNOWN_SUB_ACCOUNT', `data.splits.${index}.subAccountId`, message)];
  });
}

function tooMuch(
  splits: readonly Split[],
  amountCents: number,
  fees: Parameters<typeof platformFeeCentsOf>[0],
) {
  const netCents = amountCents - platformFeeCentsOf(fees, 'PIX', amountCents);
  const wantedCents = splits.reduce((sum, split) => sum + split.amountCents, 0);
  if (wantedCents <= netCents) return [];
  const message =
    `add up to ${formatBrl(wantedCents)} (${wantedCents} cents): must be at most ${formatBrl(netCents)} (${netCents} cents), ` +
    "the amount less the platform's fee";
  return [brokenRule('SPLITS_EXCEED_PAYMENT', 'data.splits', message)];
}
