import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { StoreId } from '../../domain/ids.ts';
import type { PayoutKind, PayoutStatus } from '../../domain/payout.ts';
import { cutSums, MOST_SUMMED } from '../frame/most-summed.ts';
import type { Caller } from '../keys/caller.ts';

/** Sums over the payouts or transfers that match a filter, in cents. */
export interface PayoutTotals {
  readonly count: number;
  /** Those that arrived, also if they were returned later. */
  readonly sentCents: number;
  readonly pendingCents: number;
  readonly returnedCents: number;
  /** Whether more match than were read. The sums are then those of a part. */
  readonly isCut: boolean;
}

interface PayoutRange {
  readonly kind: PayoutKind;
  readonly status?: PayoutStatus | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

interface Read {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly kind: PayoutKind;
  readonly status: PayoutStatus | null;
  readonly createdFrom: Date | string;
  readonly createdTo: Date | string;
  readonly take: number;
}

type Sums = Readonly<Record<'count' | 'sentCents' | 'pendingCents' | 'returnedCents', string>>;

const sums = (condition: string) => `
  select count(*) as count,
    coalesce(sum(amount_cents) filter (where status in ('COMPLETE', 'REFUNDED')), 0) as "sentCents",
    coalesce(sum(amount_cents) filter (where status = 'PENDING'), 0) as "pendingCents",
    coalesce(sum(returned_cents), 0) as "returnedCents"
  from (
    select status, amount_cents, returned_cents from payouts
    where store_id = :storeId and dev_mode = :devMode and kind = :kind ${condition}
      and created_at >= :createdFrom::timestamptz and created_at < :createdTo::timestamptz
    order by created_at desc limit :take::bigint
  ) found`;

/** Each reads a range of an index: `payouts_newest_first`, or `payouts_by_status`. */
const SUM_ALL = statement<Read, Sums>('sum up payouts', () => sums(''));
const SUM_OF_STATUS = statement<Read, Sums>('sum up payouts of a status', () => sums('and status = :status'));

/** The sums of the caller's payouts, or transfers. @param most how many are read. */
export async function payoutTotals(
  em: Em,
  { storeId, devMode }: Pick<Caller, 'storeId' | 'devMode'>,
  { kind, status, createdFrom, createdTo }: PayoutRange,
  most = MOST_SUMMED,
): Promise<PayoutTotals> {
  const sum = status === undefined ? SUM_ALL : SUM_OF_STATUS;
  const [found] = await sum(em, {
    ...{ storeId, devMode, kind },
    status: status ?? null,
    createdFrom: createdFrom ?? '-infinity',
    createdTo: createdTo ?? 'infinity',
    take: most + 1,
  });
  return cutSums(found, ['sentCents', 'pendingCents', 'returnedCents'], most);
}
