import { Migration } from '@mikro-orm/migrations';

/** When the next attempt at a subscription's open cycle is due, so that a lost run can be rebuilt. */
export class DueAttempts extends Migration {
  override up(): void {
    this.addSql(`
      alter table subscriptions add column attempt_due_at timestamptz;
      update subscriptions
        set attempt_due_at = installments.starts_at + coalesce((
          select max(charges.updated_at) - installments.starts_at
            + case charges.method when 'CARD' then subscriptions.retry_every_days else 0 end * interval '1 day'
          from charges where charges.installment_id = installments.id and charges.status = 'FAILED'
          group by charges.method), interval '0')
        from installments
        where installments.subscription_id = subscriptions.id and installments.number = subscriptions.cycle_number
          and installments.status = 'PENDING' and subscriptions.status = 'ACTIVE';
    `);
  }
}
