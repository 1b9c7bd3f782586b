import { OnlineMigration } from './online-migration.ts';

/** Links to the customer portal, and payers who sign in there. */
export class CustomerPortal extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `create table if not exists customer_portals (
         id text primary key,
         store_id text not null references stores (id),
         dev_mode boolean not null,
         customer_id text not null references customers (id),
         checkout_id text references checkouts (id),
         created_at timestamptz not null
       );
       create table if not exists payer_sign_ins (
         token_hash text primary key,
         store_id text not null references stores (id),
         dev_mode boolean not null,
         customer_id text not null references customers (id),
         email_hash text not null,
         language text not null,
         code_hash text,
         shown_code text,
         tries integer not null default 0,
         created_at timestamptz not null,
         expires_at timestamptz not null,
         used_at timestamptz,
         attempts integer not null default 0,
         next_attempt_at timestamptz,
         constraint payer_sign_ins_tries check (tries between 0 and 5),
         constraint payer_sign_ins_shown check (shown_code is null or dev_mode)
       );
       create table if not exists payer_sessions (
         token_hash text primary key,
         store_id text not null references stores (id),
         dev_mode boolean not null,
         customer_id text not null references customers (id),
         email_hash text not null,
         created_at timestamptz not null,
         expires_at timestamptz not null
       );`,
    );
    await this.index('customer_portals_customer', 'customer_portals (customer_id)');
    await this.index('payer_sign_ins_expires_at', 'payer_sign_ins (expires_at)');
    await this.index(
      'payer_sign_ins_to_mail',
      'payer_sign_ins (next_attempt_at) where next_attempt_at is not null',
    );
    await this.index('payer_sessions_expires_at', 'payer_sessions (expires_at)');
    await this.index('payer_sessions_customer', 'payer_sessions (customer_id)');
  }
}
