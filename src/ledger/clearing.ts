import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { PROVIDER_USES, type ProviderUse } from '../domain/provider-use.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/**
 * A provider account of a store, with the money that Recebe has booked there. Other money at the bank is unknown:
 * earlier money, and money that moved at the bank itself.
 */
export interface AccountMoney {
  /** Of a provider account; `sandbox` in a dev environment. */
  readonly id: string;
  /** The institution; null for an account that no row describes. */
  readonly profile: string | null;
  /** Its current uses: none once it was removed. */
  readonly uses: readonly ProviderUse[];
  /** The money there: payments, less what was sent, refunded or lost. Includes the platform's fees. */
  readonly heldCents: number;
  /**
   * The part of the store's available balance that lies there and can be sent from there. It excludes fees and
   * everything pending, blocked, outgoing or being returned. The sum over all accounts is the store's available
   * balance. It is negative if more was sent from the account than was paid to it.
   */
  readonly availableCents: number;
  /** The same of the money of the store's sub-accounts. Negative if they withdrew more from the account than they were paid there. */
  readonly subAccountsCents: number;
}

/** What a payout of the store may send from an account: a withdrawal of a sub-account may have sent money of the store's part. */
export function ownMoneyThere({ availableCents, subAccountsCents }: AccountMoney): number {
  return Math.min(availableCents, availableCents + subAccountsCents);
}

/** What can be sent from an account, whosever money it is. */
export function moneyThere({ availableCents, subAccountsCents }: AccountMoney): number {
  return availableCents + subAccountsCents;
}

/**
 * In production the ledger keeps sums per account. A dev environment has only the sandbox, so its money is the
 * store's balance. An account that was removed, or that no row describes, is listed while it has money.
 */
const ACCOUNTS = statement<StoreEnvironment, AccountMoney>(
  'what lies at the accounts of a store',
  () => `
  select coalesce(account.id, booked.provider) as id, account.profile,
    array(select use from provider_account_uses where account_id = account.id order by use) as uses,
    coalesce(booked.clearing_cents, 0) as "heldCents", coalesce(booked.available_cents, 0) as "availableCents",
    coalesce(booked.sub_accounts_cents, 0) as "subAccountsCents"
  from (
    select * from provider_accounts where store_id = :storeId and not :devMode::boolean
  ) account full join (
    select provider, clearing_cents, available_cents, sub_accounts_cents from clearing_balances
    where store_id = :storeId and dev_mode = :devMode
  ) booked on booked.provider = account.id
  where (account.id is not null and account.removed_at is null) or booked.clearing_cents <> 0 or booked.available_cents <> 0
    or booked.sub_accounts_cents <> 0
  union all
  select 'sandbox', 'sandbox', array['${PROVIDER_USES.join("', '")}'],
    coalesce(sum(clearing_cents), 0)::bigint, coalesce(sum(available_cents), 0)::bigint,
    coalesce(sum(sub_accounts_cents), 0)::bigint
  from ledger_balances where store_id = :storeId and dev_mode and :devMode::boolean
  having :devMode::boolean
  order by id`,
);

/** The accounts of a store in one environment, with what lies there, by their ids, which are in the order of time. */
export function accountsOf(em: Em, { storeId, devMode }: StoreEnvironment): Promise<AccountMoney[]> {
  return ACCOUNTS(em, { storeId, devMode });
}

/** What is booked at every account of all stores that has or had money. */
export const MONEY_AT_ACCOUNTS = statement<object, Pick<AccountMoney, 'id' | 'heldCents' | 'availableCents'>>(
  'what lies at all accounts',
  () => `
  select provider as id, clearing_cents as "heldCents", available_cents as "availableCents" from clearing_balances`,
);
