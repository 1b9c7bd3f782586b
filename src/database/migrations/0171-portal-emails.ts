import { OnlineMigration } from './online-migration.ts';

/** Customers who change their own address in the portal, and the addresses that they had proven before. */
export class PortalEmails extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table payer_sign_ins add column if not exists new_email text;
       create table if not exists earlier_emails (
         customer_id text not null references customers (id),
         email text not null,
         followed_by text not null,
         changed_at timestamptz not null,
         primary key (customer_id, email)
       );`,
    );
  }
}
