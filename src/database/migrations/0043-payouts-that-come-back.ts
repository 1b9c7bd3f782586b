import { OnlineMigration } from './online-migration.ts';

/**
 * Money of payouts that was returned, payouts and refunds that a provider executed although they are FAILED here, and how far
 * the sent Pix of an account have been listed. The previous release writes none of these columns. The first round after it
 * lists the last day, and the returns of the last 91 days.
 */
export class PayoutsThatComeBack extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table payouts
        add column if not exists returned_cents bigint not null default 0,
        add column if not exists completed_at timestamptz,
        add column if not exists revived_at timestamptz;
      alter table payouts drop constraint if exists payouts_return_at_most_all,
        add constraint payouts_return_at_most_all check (returned_cents between 0 and amount_cents) not valid`);
    await this.execute('alter table payouts validate constraint payouts_return_at_most_all');
    await this.change('alter table refunds add column if not exists revived_at timestamptz');
    await this.change(`
      alter table provider_account_listings
        add column if not exists sent_listed_until timestamptz,
        add column if not exists sent_days_listed_until timestamptz`);
    await this.change(`
      create table if not exists payout_returns (
        id text primary key,
        payout_id text not null references payouts (id),
        provider_return_id text not null,
        amount_cents bigint not null check (amount_cents > 0),
        returned_at timestamptz not null,
        created_at timestamptz not null,
        unique (payout_id, provider_return_id)
      )`);
    await this.index('attention_unknown_transfers', `attention (subject_id) where kind = 'UNKNOWN_TRANSFER'`);
    // The minute of the order, in UTC, is a part of every end-to-end id (Bacen, "Manual de Padrões para Iniciação do Pix").
    await this.index(
      'payouts_at_banks',
      `payouts (provider, (substring(end_to_end_identifier from 10 for 12)))
       where provider <> 'sandbox' and end_to_end_identifier is not null`,
    );
  }
}
