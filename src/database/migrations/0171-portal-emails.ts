import { OnlineMigration } from './online-migration.ts';

/** Customers who change their own address in the portal, and the addresses that they had proven before. */
export class PortalEmails extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table portal_settings add column if not exists changes_email boolean not null default false;
       alter table payer_sign_ins
         add column if not exists new_email text,
         add column if not exists new_email_code_hash text,
         add column if not exists shown_new_email_code text;
       alter table payer_sign_ins drop constraint if exists payer_sign_ins_shown_new_email;
       alter table payer_sign_ins add constraint payer_sign_ins_shown_new_email
         check (shown_new_email_code is null or dev_mode) not valid;
       create table if not exists earlier_emails (
         customer_id text not null references customers (id),
         email text not null,
         followed_by text not null,
         changed_at timestamptz not null,
         primary key (customer_id, email)
       );`,
    );
    await this.execute('alter table payer_sign_ins validate constraint payer_sign_ins_shown_new_email');
  }
}
