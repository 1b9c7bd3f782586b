import { OnlineMigration } from './online-migration.ts';

/**
 * The generations of workflows that open runs may belong to (docs/decisions/0018). A database without a store has no
 * runs of an earlier one.
 */
export class WorkflowGenerations extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists workflow_generations (
        generation integer primary key,
        claimed_by text,
        claimed_until timestamptz,
        began_at timestamptz,
        done_at timestamptz
      );
      insert into workflow_generations (generation, done_at)
      values (1, case when exists (select from stores) then null else now() end)
      on conflict do nothing;`);
  }
}
