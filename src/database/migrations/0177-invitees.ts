import { OnlineMigration } from './online-migration.ts';

/** Who an invitation's audit line is about. Older lines keep the account's id. */
export class Invitees extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists invitees (
        id text primary key,
        store_id text not null references stores (id),
        user_id text not null references users (id)
      );`);
  }
}
