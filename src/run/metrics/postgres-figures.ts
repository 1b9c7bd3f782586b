import type { Registry } from 'prom-client';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { ATTENTION, type AttentionKind } from '../../domain/attention.ts';
import { AUDIT_KINDS, type AuditKind } from '../../domain/audit.ts';
import { countOverdue } from '../../recovery/find-open.ts';
import { STARTED_TABLES } from '../../temporal/workflow-start.ts';
import { gauge } from './figures.ts';

/**
 * Maximum webhooks checked for failures, and open attention items counted. Higher counts would not be more
 * useful.
 */
const MOST_ROWS = 5_000;

/** After this many failed attempts of one delivery, its endpoint has failed for at least an hour. */
const FAILING_ATTEMPTS = 5;

interface Oldest {
  readonly table: keyof typeof STARTED_TABLES;
  readonly oldest: Date | null;
}

/** Ignores rows in the future. They belong to a store whose clock was moved, so their real age is unknown. */
const UNSTARTED = statement<{ now: Date }, Oldest>('find the oldest unstarted rows', () =>
  Object.keys(STARTED_TABLES)
    .map(
      (table) => `
  select '${table}' as table, (
    select created_at from ${table} where workflow_started_at is null and created_at <= :now order by created_at limit 1
  ) as oldest`,
    )
    .join(' union all '),
);

const OPEN_ATTENTION = statement<{ most: number }, { kind: AttentionKind; count: number }>(
  'count open attention',
  () => `
  select kind, count(*) from (select kind from attention where resolved_at is null order by since, id limit :most) open
  group by kind`,
);

interface Webhooks {
  readonly paused: number;
  readonly failing: number;
  readonly pending: number;
}

/**
 * Among deliveries that are still retried, the first due ones. A row in the table of breakers is an endpoint
 * that times out.
 */
const WEBHOOKS = statement<{ now: Date; most: number; attempts: number }, Webhooks>(
  'count webhooks that fail',
  () => `
  select (select count(*) from (select from endpoint_breakers where paused_until > :now limit :most) resting) as paused,
    count(*) as pending, count(distinct webhook_id) filter (where attempts >= :attempts) as failing
  from (
    select webhook_id, attempts from deliveries where status = 'PENDING'
    order by coalesce(next_attempt_at, created_at), id limit :most
  ) due`,
);

const FIRST_CERTIFICATE = statement<Record<never, never>, { endsAt: Date }>(
  'find the certificate that ends first',
  () => `
  select certificate_ends_at as "endsAt" from provider_accounts
  where certificate_ends_at is not null and removed_at is null order by certificate_ends_at limit 1`,
);

/** The same value for every store. */
const VERIFIED = statement<Record<never, never>, { at: Date }>(
  'find when the ledger was verified',
  () => 'select verified_at as at from ledger_checkpoints limit 1',
);

/**
 * The service's health in its tables. Each statement reads a bounded part of an index, however large the
 * tables are (test/database/list-plans.test.ts). Runs them one after the other on one connection.
 *
 * @param now real time.
 * @throws if Postgres is unreachable.
 */
export async function readPostgresFigures(registry: Registry, database: Database, now: Date): Promise<void> {
  const unstarted = await UNSTARTED(database, { now });
  gauge(
    registry,
    'unstarted_oldest_seconds',
    'Age of the oldest row whose workflow was not started; 0 if there is none.',
    unstarted.map(({ table, oldest }) => ({
      labels: { table },
      value: oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1_000,
    })),
  );
  const overdue = [];
  for (const kind of Object.keys(AUDIT_KINDS) as AuditKind[])
    overdue.push({ labels: { kind }, value: await countOverdue(database.em.fork(), kind, now) });
  gauge(
    registry,
    'overdue_rows',
    'Overdue rows, as `doctor` lists them, among the 200 that have waited longest.',
    overdue,
  );
  const open = await OPEN_ATTENTION(database, { most: MOST_ROWS });
  gauge(
    registry,
    'attention_open',
    'Items that need a person, as `attention list` shows them.',
    Object.keys(ATTENTION).map((kind) => ({
      labels: { kind },
      value: open.find((row) => row.kind === kind)?.count ?? 0,
    })),
  );
  const [webhooks] = await WEBHOOKS(database, { now, most: MOST_ROWS, attempts: FAILING_ATTEMPTS });
  gauge(
    registry,
    'webhook_endpoints',
    `Endpoints that are paused because they time out, and those that failed ${FAILING_ATTEMPTS} times in one delivery that is still retried.`,
    [
      { labels: { state: 'paused' }, value: webhooks?.paused ?? 0 },
      { labels: { state: 'failing' }, value: webhooks?.failing ?? 0 },
    ],
  );
  gauge(registry, 'webhook_deliveries_pending', `Deliveries that are still retried, up to ${MOST_ROWS}.`, [
    { labels: {}, value: webhooks?.pending ?? 0 },
  ]);
  const [first] = await FIRST_CERTIFICATE(database, {});
  if (first !== undefined)
    gauge(
      registry,
      'account_certificate_expires_timestamp_seconds',
      "When the first provider account's certificate expires; absent if no account has one.",
      [{ labels: {}, value: first.endsAt.getTime() / 1_000 }],
    );
  const [verified] = await VERIFIED(database, {});
  if (verified !== undefined)
    gauge(
      registry,
      'ledger_verified_timestamp_seconds',
      'When `ledger verify` last found the ledger consistent; absent before the first time.',
      [{ labels: {}, value: verified.at.getTime() / 1_000 }],
    );
}
