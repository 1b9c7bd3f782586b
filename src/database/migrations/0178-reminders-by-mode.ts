import { OnlineMigration } from './online-migration.ts';

/** Reminders of production are mailed before those of dev mode, of which a moved clock makes thousands. */
export class RemindersByMode extends OnlineMigration {
  override async up(): Promise<void> {
    for (const table of ['reminders', 'subscription_reminders']) {
      await this.index(`${table}_queued`, `${table} (dev_mode, next_attempt_at) where status = 'QUEUED'`);
      await this.execute(`drop index concurrently if exists ${table}_due`);
    }
  }
}
