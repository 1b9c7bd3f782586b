import { statement } from '../database/statement.ts';
import type { PayoutId } from '../domain/ids.ts';
import type { PayoutStatus } from '../domain/payout.ts';

/** A payout or transfer, as it is written here. */
export interface WrittenPayout {
  readonly id: PayoutId;
  readonly status: PayoutStatus;
  readonly amountCents: number;
  readonly returnedCents: number;
  readonly endToEndIdentifier: string | null;
  readonly completedAt: Date | null;
}

/**
 * Payouts with these ids at a bank that another account here has sent, with their amounts. That account may be at the
 * same bank account.
 */
export const payoutsElsewhere = statement<
  { provider: string; ids: readonly string[] },
  { id: PayoutId; amountCents: number }
>(
  'payouts of other accounts',
  () => `
  select id, amount_cents as "amountCents" from payouts
  where id = any(:ids::text[]) and provider <> :provider and provider <> 'sandbox'`,
);

/**
 * Payouts of an account with one of these ids, or sent within a time, by the index `payouts_at_banks`.
 * @param fromMinute and `untilMinute` of the order in UTC, as end-to-end ids have it: `yyyyMMddHHmm`.
 */
export const payoutsOfTime = statement<
  { provider: string; ids: readonly string[]; fromMinute: string; untilMinute: string },
  WrittenPayout
>(
  'payouts of an account within a time',
  () => `
  select id, status, amount_cents as "amountCents", returned_cents as "returnedCents",
    end_to_end_identifier as "endToEndIdentifier", completed_at as "completedAt"
  from payouts where provider = :provider and provider <> 'sandbox' and id = any(:ids::text[])
  union
  select id, status, amount_cents, returned_cents, end_to_end_identifier, completed_at
  from payouts where provider = :provider and provider <> 'sandbox' and end_to_end_identifier is not null
    and substring(end_to_end_identifier from 10 for 12) >= :fromMinute
    and substring(end_to_end_identifier from 10 for 12) < :untilMinute`,
);
