import { Migration } from '@mikro-orm/migrations';

/** Endpoints that time out: how many times in a row, and until when only a probe is sent to them. */
export class EndpointBreakers extends Migration {
  override up(): void {
    this.addSql(`
      create table endpoint_breakers (
        webhook_id text primary key references webhooks (id) on delete cascade,
        hangs integer not null,
        paused_until timestamptz
      );
    `);
  }
}
