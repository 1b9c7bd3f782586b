import { OnlineMigration } from './online-migration.ts';

/**
 * The second generation of workflows, without the paths that runs of the first one needed (docs/decisions/0018). A database without
 * a store has no runs of an earlier one.
 */
export class SecondGeneration extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      insert into workflow_generations (generation, done_at)
      values (2, case when exists (select from stores) then null else now() end)
      on conflict do nothing`);
  }
}
