import { OnlineMigration } from './online-migration.ts';

/** Logos that stores upload. Existing stores have none, and keep the address of a picture elsewhere if they gave one. */
export class StoreLogos extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table stores
         add column if not exists logo_file text,
         add column if not exists logo_image bytea;
       alter table stores drop constraint if exists stores_logo_whole;
       alter table stores add constraint stores_logo_whole
         check ((logo_file is null) = (logo_image is null) and octet_length(logo_image) <= 65536) not valid;`,
    );
    await this.execute('alter table stores validate constraint stores_logo_whole');
    await this.index('stores_logo_file', 'stores (logo_file) where logo_file is not null');
  }
}
