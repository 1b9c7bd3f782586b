import { OnlineMigration } from './online-migration.ts';

/** The NFS-e of invoices, their counters, and the stores that issue them (decision 30). No store has before. */
export class Nfse extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists nfse_settings (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        is_on boolean not null,
        issues_on text not null,
        issuer json,
        updated_at timestamptz not null,
        primary key (store_id, dev_mode),
        check (issuer is not null or not is_on)
      );
      create table if not exists nfse_counters (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        series integer not null,
        last_number bigint not null,
        primary key (store_id, dev_mode, series)
      );
      create table if not exists nfse (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        invoice_id text not null references invoices (id),
        status text not null,
        dps_id text not null,
        series integer not null,
        number bigint not null,
        attempt integer not null,
        versions json not null,
        access_key text,
        authorized_attempt integer,
        authorized_at timestamptz,
        verification_url text,
        errors json,
        rejected_at timestamptz,
        cancellation_requested_at timestamptz,
        cancellation_reason text,
        cancellation_published_at timestamptz,
        cancellation_errors json,
        cancelled_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        check (status not in ('AUTHORIZED', 'CANCELLED') or access_key is not null),
        check (status <> 'REJECTED' or errors is not null),
        check ((cancellation_requested_at is null) = (cancellation_reason is null))
      );`);
    await this.uniqueIndex('nfse_number', 'nfse (store_id, dev_mode, series, number)');
    await this.uniqueIndex('nfse_access_key', 'nfse (store_id, dev_mode, access_key)');
    await this.uniqueIndex('nfse_pending_of_invoice', "nfse (invoice_id) where status = 'PENDING'");
    await this.index('nfse_of_invoice', 'nfse (invoice_id, created_at)');
    await this.index('nfse_list', 'nfse (store_id, dev_mode, created_at, id)');
    await this.index(
      'nfse_by_status',
      "nfse (store_id, dev_mode, status, created_at, id) where status <> 'AUTHORIZED'",
    );
    await this.index(
      'nfse_to_cancel',
      `nfse (cancellation_requested_at) where status = 'AUTHORIZED' and cancellation_requested_at is not null
        and cancellation_published_at is null`,
    );
  }
}
