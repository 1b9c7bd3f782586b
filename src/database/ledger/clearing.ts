import { PROVIDER_USES, type ProviderUse } from '../../domain/provider-use.ts';
import type { Em } from '../orm.ts';
import { statement } from '../statement.ts';
import type { LedgerOwner } from './ledger.ts';

/**
 * A provider account of a store, and the money that Recebe has booked there. It knows nothing of what lies there besides:
 * what was there before, or was paid in or out at the bank itself.
 */
export interface AccountMoney {
  /** Of a provider account; `sandbox` in a dev environment. */
  readonly id: string;
  /** The institution; null for an account that no row describes. */
  readonly profile: string | null;
  /** What it serves now: nothing once it was removed. */
  readonly uses: readonly ProviderUse[];
  /** What lies there: what was paid at it, less what was sent, refunded or lost from it. The platform's fees are in it. */
  readonly heldCents: number;
  /**
   * What of the store's available balance lies there, and so can be sent from there: no fees, and nothing that is pending,
   * blocked, or on its way out or back. All accounts together have the store's available balance. One is below zero if
   * more was sent from it than was paid at it.
   */
  readonly availableCents: number;
}

/**
 * Of production what the ledger keeps for each account. A dev environment has the sandbox alone, so what lies there is
 * the store's balance. An account that was removed is listed while money lies there.
 */
const ACCOUNTS = statement<LedgerOwner, AccountMoney>(
  'what lies at the accounts of a store',
  () => `
  select coalesce(account.id, booked.provider) as id, account.profile,
    array(select use from provider_account_uses where account_id = account.id order by use) as uses,
    coalesce(booked.clearing_cents, 0) as "heldCents", coalesce(booked.available_cents, 0) as "availableCents"
  from (
    select * from provider_accounts where store_id = :storeId and not :devMode::boolean
  ) account full join (
    select provider, clearing_cents, available_cents from clearing_balances
    where store_id = :storeId and dev_mode = :devMode
  ) booked on booked.provider = account.id
  where account.removed_at is null or booked.clearing_cents <> 0 or booked.available_cents <> 0
  union all
  select 'sandbox', 'sandbox', array['${PROVIDER_USES.join("', '")}'],
    coalesce(sum(clearing_cents), 0)::bigint, coalesce(sum(available_cents), 0)::bigint
  from ledger_balances where store_id = :storeId and dev_mode and :devMode::boolean
  having :devMode::boolean
  order by id`,
);

/** The accounts of a store in one environment, with what lies there, by their ids, which are in the order of time. */
export function accountsOf(em: Em, { storeId, devMode }: LedgerOwner): Promise<AccountMoney[]> {
  return ACCOUNTS(em, { storeId, devMode });
}

/** What is booked at every account of all stores that has or had money. */
export const MONEY_AT_ACCOUNTS = statement<object, Pick<AccountMoney, 'id' | 'heldCents' | 'availableCents'>>(
  'what lies at all accounts',
  () => `
  select provider as id, clearing_cents as "heldCents", available_cents as "availableCents" from clearing_balances`,
);
