import { OnlineMigration } from './online-migration.ts';

/** Which stores remind payers of open boletos, the reminders, and who does not want any more of them. */
export class Reminders extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists reminder_settings (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        channel text not null,
        steps json not null,
        language text not null,
        done_until text not null,
        updated_at timestamptz not null,
        primary key (store_id, dev_mode)
      );
      create table if not exists reminders (
        charge_id text not null references charges (id),
        days smallint not null,
        store_id text not null,
        dev_mode boolean not null,
        status text not null,
        attempts int not null default 0,
        next_attempt_at timestamptz not null,
        created_at timestamptz not null,
        ended_at timestamptz,
        primary key (charge_id, days),
        check ((status = 'QUEUED') = (ended_at is null))
      );
      create table if not exists reminder_recipients (
        customer_id text not null references customers (id),
        email_hash text not null,
        token text not null,
        created_at timestamptz not null,
        unsubscribed_at timestamptz,
        primary key (customer_id, email_hash)
      );`);
    await this.index('reminders_due', `reminders (next_attempt_at) where status = 'QUEUED'`);
    await this.index('reminders_by_age', 'reminders (created_at)');
    await this.uniqueIndex('reminder_recipients_token', 'reminder_recipients (token)');
    await this.index(
      'charges_with_due_date',
      `charges (store_id, dev_mode, due_date, id) where status = 'PENDING' and due_date is not null`,
    );
  }
}
