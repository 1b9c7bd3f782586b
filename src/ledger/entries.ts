import type { Em } from '../database/orm.ts';
import { type Statement, statement } from '../database/statement.ts';
import type { ChargeMethod } from '../domain/charge.ts';
import {
  STATEMENT_ACCOUNTS,
  STATEMENT_KINDS,
  type StatementAccount,
  type StatementKind,
} from '../domain/ledger.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import type { Balance } from './balance.ts';

/** What a movement did to one account of the store; written with the movement, and never changed. */
export interface StatementEntry {
  readonly account: StatementAccount;
  readonly kind: StatementKind;
  readonly bookedAt: Date;
  /** Of the movement: later ones are higher, and none is ever put between two others. */
  readonly sequence: number;
  readonly amountCents: number;
  readonly balanceAfterCents: number;
  readonly subjectId: string;
  /** What the platform kept of the movement; below zero where it gave that back. */
  readonly platformFeeCents: number;
  /** The charge whose payment a refund, a dispute, the settlement of an installment or a sub-account's share is about. */
  readonly chargeId: string | null;
  /** The dispute, also of the provider's fee for it; null for all others. */
  readonly disputeId: string | null;
  /** The payout or transfer that sent money, or that money came back of; null for all others. */
  readonly payoutId: string | null;
  readonly payoutKind: 'PAYOUT' | 'TRANSFER' | null;
  /** The sub-account that received the money, or gave it; null for all others. */
  readonly subAccountId: string | null;
}

export interface EntryRange {
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
}

export interface EntryFilter extends EntryRange {
  readonly accounts: readonly StatementAccount[];
  readonly kinds: readonly StatementKind[];
}

/** A place in a statement. */
export type EntryPlace = Pick<StatementEntry, 'bookedAt' | 'sequence' | 'account'>;

/** Which entries are read: the nearest to a place, in one direction. */
export interface WantedEntries {
  readonly from: EntryPlace | null;
  readonly direction: 'older' | 'newer';
  readonly take: number;
}

/** A part of a statement that is a range of an index: entries of one account, kind and method. */
export interface EntryPart {
  readonly account: StatementAccount;
  readonly kind: StatementKind;
  /** The method of the payment that was made, refunded or disputed; PIX for payouts and transfers. */
  readonly method: ChargeMethod;
}

const EVERY = [
  'every method',
  '(select account, kind from unnest(:accounts::text[]) account, unnest(:kinds::text[]) kind) part',
  '',
] as const;
const BY_METHOD = [
  'by method',
  'unnest(:accounts::text[], :kinds::text[], :methods::text[]) part (account, kind, method)',
  'and entry.method = part.method',
] as const;
const OLDER = ['older', 'desc', '<'] as const;
const NEWER = ['newer', 'asc', '>'] as const;

const READ = { older: readStatement(EVERY, OLDER), newer: readStatement(EVERY, NEWER) };
const READ_PARTS = { older: readStatement(BY_METHOD, OLDER), newer: readStatement(BY_METHOD, NEWER) };

/**
 * Each account and kind is a range of the primary key in the order of the statement, and each account, kind and method one of
 * another index. No more of it is read than the page has room for: what is found in all of them is merged (docs/decisions/0016).
 */
function readStatement(
  [name, ranges, ofMethod]: typeof EVERY | typeof BY_METHOD,
  [direction, order, beyond]: typeof OLDER | typeof NEWER,
): Statement<object, StatementEntry> {
  return statement(
    `read a statement, ${name}, ${direction}`,
    () => `
    with entry as (
      select nearest.* from ${ranges}, lateral (
        select * from statement_entries entry
        where entry.store_id = :storeId and entry.dev_mode = :devMode
          and entry.account = part.account and entry.kind = part.kind ${ofMethod}
          and entry.booked_at >= :from::timestamptz and entry.booked_at < :to::timestamptz
          and (entry.booked_at, entry.sequence, entry.account) ${beyond} (:at::timestamptz, :sequence::bigint, :lastAccount::text)
        order by entry.booked_at ${order}, entry.sequence ${order} limit :take::bigint
      ) nearest
      order by nearest.booked_at ${order}, nearest.sequence ${order}, nearest.account ${order} limit :take::bigint
    )
    select entry.account, entry.kind, entry.booked_at as "bookedAt", entry.sequence, entry.amount_cents as "amountCents",
      entry.balance_after_cents as "balanceAfterCents", entry.subject_id as "subjectId",
      movement.platform_fees_cents as "platformFeeCents",
      coalesce(refund.charge_id, dispute.charge_id, receivable.charge_id, excess.charge_id, shared.charge_id) as "chargeId",
      dispute.id as "disputeId",
      payout.id as "payoutId", payout.kind as "payoutKind",
      shared.sub_account_id as "subAccountId"
    from entry join ledger_movements movement on movement.subject_id = entry.subject_id and movement.kind = entry.kind
    left join refunds refund on refund.id = entry.subject_id
    left join receivables receivable on receivable.id = entry.subject_id
    left join dispute_fees dispute_fee on dispute_fee.id = entry.subject_id
    left join excess_takings excess on excess.id = entry.subject_id
    left join disputes dispute on dispute.id = coalesce(dispute_fee.dispute_id, excess.subject_id, entry.subject_id)
    left join payout_returns returned on returned.id = entry.subject_id
    left join sub_account_entries shared on shared.id = entry.subject_id
    left join payouts payout on payout.id = coalesce(returned.payout_id, shared.payout_id, entry.subject_id)
    order by entry.booked_at ${order}, entry.sequence ${order}, entry.account ${order}`,
  );
}

/** The entries that match, nearest first. */
export function readEntries(
  em: Em,
  owner: StoreEnvironment,
  { accounts, kinds, ...range }: EntryFilter,
  wanted: WantedEntries,
): Promise<StatementEntry[]> {
  return READ[wanted.direction](em, { ...placeIn(owner, range, wanted), accounts, kinds });
}

/** The entries of these parts together, nearest first. */
export async function readEntryParts(
  em: Em,
  owner: StoreEnvironment,
  parts: readonly EntryPart[],
  range: EntryRange,
  wanted: WantedEntries,
): Promise<StatementEntry[]> {
  if (parts.length === 0) return [];
  return await READ_PARTS[wanted.direction](em, {
    ...placeIn(owner, range, wanted),
    accounts: parts.map(({ account }) => account),
    kinds: parts.map(({ kind }) => kind),
    methods: parts.map(({ method }) => method),
  });
}

function placeIn({ storeId, devMode }: StoreEnvironment, { from, to }: EntryRange, wanted: WantedEntries) {
  const isOlder = wanted.direction === 'older';
  return {
    storeId,
    devMode,
    from: from ?? '-infinity',
    to: to ?? 'infinity',
    at: wanted.from?.bookedAt ?? (isOlder ? 'infinity' : '-infinity'),
    sequence: wanted.from?.sequence ?? 0,
    lastAccount: wanted.from?.account ?? '',
    take: wanted.take,
  };
}

interface BalanceAt extends StoreEnvironment {
  readonly before: Date | 'infinity';
  readonly accounts: readonly StatementAccount[];
  readonly kinds: readonly StatementKind[];
}

/** The last entry of each account before an instant knows its balance. */
const BALANCE_AT = statement<BalanceAt, { account: StatementAccount; cents: number }>(
  'read a balance of the past',
  () => `
  select account.name as account, coalesce((
    select latest.balance_after_cents from unnest(:kinds::text[]) as kind (name), lateral (
      select * from statement_entries entry
      where entry.store_id = :storeId and entry.dev_mode = :devMode
        and entry.account = account.name and entry.kind = kind.name and entry.booked_at < :before::timestamptz
      order by entry.booked_at desc, entry.sequence desc limit 1
    ) latest
    order by latest.booked_at desc, latest.sequence desc limit 1
  ), 0) as cents
  from unnest(:accounts::text[]) as account (name)`,
);

/** The store's balance just before an instant. @param before null for the present balance. */
export async function balanceBefore(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  before: Date | null,
): Promise<Balance> {
  const all = { accounts: STATEMENT_ACCOUNTS, kinds: STATEMENT_KINDS };
  const rows = await BALANCE_AT(em, { storeId, devMode, before: before ?? 'infinity', ...all });
  const centsOf = (wanted: StatementAccount) => rows.find(({ account }) => account === wanted)?.cents ?? 0;
  return {
    availableCents: centsOf('AVAILABLE'),
    pendingCents: centsOf('PENDING'),
    blockedCents: centsOf('BLOCKED'),
  };
}
