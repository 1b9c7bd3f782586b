import { OnlineMigration } from './online-migration.ts';

/**
 * Changes of plan within a cycle: how each is charged, the part of a period that a cycle covers, and the credit that it leaves.
 * Existing changes apply from the next cycle on, and existing cycles cover whole periods.
 */
export class ProrationOfPlans extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table plan_updates
         add column if not exists starts text not null default 'NEXT_CYCLE',
         add column if not exists proration text;
       alter table subscriptions add column if not exists credit_cents bigint not null default 0;
       alter table installments
         add column if not exists credit_cents bigint not null default 0,
         add column if not exists part json;`,
    );
  }
}
