import { OnlineMigration } from './online-migration.ts';

/** Renames the last acknowledged status of a sandbox dispute. */
export class AcknowledgedStatus extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      do $$ begin
        if exists (
          select from information_schema.columns
          where table_schema = current_schema and table_name = 'sandbox_disputes' and column_name = 'told_status'
        ) then
          alter table sandbox_disputes rename column told_status to acknowledged_status;
        end if;
      end $$;
      alter index if exists sandbox_disputes_to_tell rename to sandbox_disputes_unacknowledged;`);
  }
}
