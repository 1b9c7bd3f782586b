import { Migration } from '@mikro-orm/migrations';

/** Endpoints that hang: how often in a row, and until when nothing but a probe is sent there. */
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
