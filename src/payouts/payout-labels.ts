import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import type { PayoutId, StoreId } from '../domain/ids.ts';

/** What names a payout or transfer to people. */
export type PayoutLabel = Pick<
  Payout,
  'id' | 'kind' | 'status' | 'externalId' | 'description' | 'pixKeyType'
>;

const FIELDS = ['id', 'kind', 'status', 'externalId', 'description', 'pixKeyType'] as const;

/** The owner's payouts and transfers among these ids, by their ids. */
export async function payoutLabels(
  em: Em,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, PayoutLabel>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))] as PayoutId[];
  if (wanted.length === 0) return new Map();
  const where = { storeId, devMode, id: { $in: wanted } };
  const rows = await em.find(PayoutEntity, where, { fields: FIELDS, disableIdentityMap: true });
  return new Map(rows.map((row) => [row.id, row]));
}
