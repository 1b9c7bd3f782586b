import { statement } from '../database/statement.ts';
import type { ProviderAccountId, StoreId } from '../domain/ids.ts';

/** An account, and how far its payments have been listed. */
export interface AccountListing {
  readonly id: ProviderAccountId;
  readonly storeId: StoreId;
  readonly createdAt: Date;
  /** Everything paid before is ingested; null before the first round. */
  readonly listedUntil: Date | null;
  /** The end of the last day that was listed again as a whole. */
  readonly daysListedUntil: Date | null;
}

/** Accounts that may still receive payments: existing ones, and those removed after an instant. */
export const accountsToList = statement<{ removedAfter: Date }, AccountListing>(
  'accounts whose payments are listed',
  () => `
  select account.id, account.store_id as "storeId", account.created_at as "createdAt",
    listing.listed_until as "listedUntil", listing.days_listed_until as "daysListedUntil"
  from provider_accounts account left join provider_account_listings listing on listing.account_id = account.id
  where account.removed_at is null or account.removed_at > :removedAfter
  order by account.id`,
);

/**
 * Other accounts here that may share the bank account of `:provider`, for example after a replacement: those of the
 * same store, and those with the same PIX key, which belongs to one bank account. Each lists the payments of all.
 */
export const OTHERS_AT_BANK_ACCOUNT = `
    select other.id from provider_accounts own join provider_accounts other
      on other.kind = own.kind and other.profile = own.profile and other.id <> own.id
        and (other.store_id = own.store_id or other.settings->>'pixKey' = own.settings->>'pixKey')
    where own.id = :provider`;

/** Whose account it is. */
export const storeOfAccount = statement<{ id: ProviderAccountId }, { storeId: StoreId }>(
  'store of a provider account',
  () => 'select store_id as "storeId" from provider_accounts where id = :id',
);

/** Never moves back; null leaves it unchanged. */
export const noteListed = statement<{
  id: ProviderAccountId;
  listedUntil: Date | null;
  daysListedUntil: Date | null;
}>(
  'note how far payments are listed',
  () => `
  insert into provider_account_listings as listing (account_id, listed_until, days_listed_until)
  values (:id, :listedUntil, :daysListedUntil)
  on conflict (account_id) do update set
    listed_until = greatest(listing.listed_until, excluded.listed_until),
    days_listed_until = greatest(listing.days_listed_until, excluded.days_listed_until)`,
);

/**
 * Records that an account is checked now. After a long gap the database may have been restored, and may have lost
 * charges whose codes payers hold: the same statement then keeps earlier orders from being cancelled.
 */
export const noteLook = statement<{ id: ProviderAccountId; now: Date; unlessSince: Date }>(
  'note that an account is looked at',
  () => `
  with kept as (
    update charge_orders set kept_since = :now
    where provider = :id and kept_since is null and taken_back_at is null and exists (
      select from provider_account_listings where account_id = :id and looked_at < :unlessSince
    )
  )
  insert into provider_account_listings as listing (account_id, looked_at) values (:id, :now)
  on conflict (account_id) do update set looked_at = greatest(listing.looked_at, excluded.looked_at)`,
);

/** The provider did not answer; the first such time stays. @returns since when. */
export const noteUnanswered = statement<{ id: ProviderAccountId; now: Date }, { since: Date }>(
  'note that a provider did not answer',
  () => `
  insert into provider_account_listings as listing (account_id, unanswered_since) values (:id, :now)
  on conflict (account_id) do update
    set unanswered_since = coalesce(listing.unanswered_since, excluded.unanswered_since)
  returning unanswered_since as since`,
);

/** The provider answers. @returns a row if it had not before. */
export const noteAnswered = statement<{ id: ProviderAccountId }, { id: ProviderAccountId }>(
  'note that a provider answers',
  () => `
  update provider_account_listings set unanswered_since = null
  where account_id = :id and unanswered_since is not null returning account_id as id`,
);

/** A payment that is not written here. */
export interface UnwrittenPayment {
  readonly providerPaymentId: string;
  readonly reference: string;
  /** Whether a charge was issued with the reference. */
  readonly isIssued: boolean;
}

/**
 * The payments of a page without a row, whatever became of them. One statement looks each up by key, so that it
 * never reads all payments of an account. A payment for a charge of another account with the same bank account is
 * left out: it is ingested when that account is listed, which continues for a while after its removal.
 */
export const unwrittenPayments = statement<
  {
    provider: string;
    providerPaymentIds: readonly string[];
    references: readonly string[];
    /** Accounts removed before are no longer listed. */
    removedAfter: Date;
  },
  UnwrittenPayment
>(
  'payments that are not written',
  () => `
  with others as materialized (
    ${OTHERS_AT_BANK_ACCOUNT} and (other.removed_at is null or other.removed_at > :removedAfter)
  )
  select listed.payment_id as "providerPaymentId", listed.reference, charge.id is not null as "isIssued"
  from unnest(:providerPaymentIds::text[], :references::text[]) listed (payment_id, reference)
    left join lateral (
      select id from payments where provider = :provider and provider_payment_id = listed.payment_id limit 1
    ) payment on true
    left join lateral (
      select id from charges where provider = :provider and provider_reference = listed.reference limit 1
    ) charge on true
  where payment.id is null and (charge.id is not null or not exists (
    select from others join charges on charges.provider = others.id and charges.provider_reference = listed.reference
  ))`,
);

/** The payments without a charge that have no note, open or resolved. */
export const unnotedPayments = statement<{ subjectIds: readonly string[] }, { subjectId: string }>(
  'unknown payments that are not noted',
  () => `
  select subject_id as "subjectId" from unnest(:subjectIds::text[]) listed (subject_id)
    left join lateral (
      select id from attention where kind = 'UNKNOWN_PAYMENT' and attention.subject_id = listed.subject_id limit 1
    ) noted on true
  where noted.id is null`,
);

/** The unreadable items of a provider that have no note, open or resolved. */
export const unnotedUnreadable = statement<{ subjectIds: readonly string[] }, { subjectId: string }>(
  'unreadable payments that are not noted',
  () => `
  select distinct subject_id as "subjectId" from unnest(:subjectIds::text[]) listed (subject_id)
  where not exists (
    select from attention where kind = 'UNREADABLE_PAYMENT' and attention.subject_id = listed.subject_id)`,
);
