import { OnlineMigration } from './online-migration.ts';

/**
 * Accounts of stores at providers of real money. At most one account of a store serves a use, which the key of
 * `provider_account_uses` enforces. A removed account serves none, and stays because its charges refer to it. Payouts get the
 * provider that sends them; for existing payouts that is the sandbox. The sandbox stores each refund in a row.
 */
export class ProviderAccounts extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `create table if not exists provider_accounts (
         id text primary key,
         store_id text not null references stores (id),
         kind text not null,
         profile text not null,
         settings json not null,
         secret text not null,
         secret_key_id text,
         version integer not null,
         certificate_ends_at timestamptz,
         created_at timestamptz not null,
         rotated_at timestamptz,
         removed_at timestamptz
       );
       create table if not exists provider_account_uses (
         store_id text not null references stores (id),
         use text not null,
         account_id text not null references provider_accounts (id),
         primary key (store_id, use)
       );
       create table if not exists sandbox_refunds (
         reference text primary key,
         payment_id text not null,
         amount_cents bigint not null check (amount_cents > 0),
         refunded_at timestamptz not null
       )`,
    );
    await this.index('provider_accounts_of_store', 'provider_accounts (store_id)');
    await this.index('provider_account_uses_of_account', 'provider_account_uses (account_id)');
    await this.index('sandbox_refunds_of_payment', 'sandbox_refunds (payment_id)');
    await this.change(
      `alter table payouts add column if not exists provider text not null default 'sandbox'`,
    );
  }
}
