import { OnlineMigration } from './online-migration.ts';

/** The language in which a person uses the dashboard, for their notices. Unknown until they sign in again. */
export class UserLanguages extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table users add column if not exists language text;');
  }
}
