import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Database } from '../../src/database/orm.ts';
import { UNSETTLED } from '../../src/recovery/open-settlements.ts';
import { LEFT_ALONE_MS } from './auditor.ts';
import type { Integrator } from './integrator.ts';
import { type Open, openText } from './open.ts';
import { openWorkflows } from './workflows.ts';

const LOOK_EVERY_MS = 500;
/**
 * Deliveries that wait longer than this for their next attempt are resent, as an integrator would once the endpoint has
 * recovered. The same applies to overdue deliveries: their workflow learned late that the previous attempt had failed, and
 * counts its pause from then.
 */
const RESEND_AFTER_MS = 3_000;
const AUDIT_EVERY_MS = 20_000;
const LOG_EVERY_MS = 60_000;
/** The most open ids in one line of the report. */
const LOGGED = 8;

interface Waiting {
  readonly id: string;
  readonly storeId: string;
}

/**
 * Every row that should have ended, every workflow that should have started, and every payment of the provider
 * that was not ingested. Only deliveries to dead endpoints may stay open.
 */
const OPEN = `
  select 'charge' as what, id, status as state from charges where status = 'PENDING'
  union all select 'checkout', id, status from checkouts where status = 'PENDING'
  union all select 'refund', id, status from refunds where status in ('REQUESTED', 'PENDING')
  union all select 'payout', id, status from payouts where status = 'PENDING'
  union all select 'payment being returned', id, outcome from payments where outcome = 'RETURNING'
  union all select 'cycle', cycle.id, cycle.status from installments cycle
    join subscriptions on subscriptions.id = subscription_id
    -- One whose card was declined is tried again some days later.
    where cycle.status = 'PENDING' and (attempt_due_at is null or attempt_due_at < now() + interval '1 hour')
  union all select 'delivery', deliveries.id, deliveries.status || ', ' || attempts || ' attempts'
    from deliveries join webhooks on webhooks.id = webhook_id
    where deliveries.status = 'PENDING' and webhooks.name <> 'dead'
  union all select 'subscription', id, 'cycle ' || cycle_number || ' has ended' from subscriptions
    where status = 'ACTIVE' and cycle_ends_at < now()
  union all select 'payment at the provider', reference, 'not ingested'
    from sandbox_charges where status = 'PAID' and notified_at is null
  union all select 'dispute at the provider', id, 'not ingested'
    from sandbox_disputes where acknowledged_status is distinct from status
  union all select 'payment', id, 'not settled' from charges where settles_at < now() and ${UNSETTLED}
  union all select 'start of a charge', id, 'not noted' from charges where workflow_started_at is null
  union all select 'start of a checkout', id, 'not noted' from checkouts where workflow_started_at is null
  union all select 'start of a subscription', id, 'not noted' from subscriptions where workflow_started_at is null
  union all select 'start of a payout', id, 'not noted' from payouts where workflow_started_at is null
  union all select 'start of a delivery', id, 'not noted' from deliveries where workflow_started_at is null`;

const WAITING = `
  select deliveries.id, webhooks.store_id as "storeId" from deliveries join webhooks on webhooks.id = webhook_id
  where status = 'PENDING' and webhooks.name <> 'dead' and attempts > 0
    and (next_attempt_at > now() + make_interval(secs => ?) or next_attempt_at < now() - interval '20 seconds')`;

interface Settling {
  readonly database: Database;
  readonly temporal: Client;
  /** The program of a store. */
  readonly integratorOf: (storeId: string) => Integrator;
  /** Open work outside rows and workflows. */
  readonly elsewhere?: () => Promise<readonly Open[]>;
  /** Ids of rows that may stay open. */
  readonly staysOpen?: () => Promise<ReadonlySet<string>>;
  /** Starts work that nothing else would start. */
  readonly audit: () => Promise<void>;
  /** Whether clients still wait for answers. */
  readonly isServing: () => boolean;
  readonly patienceMs: number;
  /** Receives once a minute what is still open. */
  readonly log?: (line: string) => void;
}

export interface Settled {
  /** Work that did not end in time. */
  readonly open: readonly Open[];
  /** The work that ended last. */
  readonly last: readonly Open[];
}

/** Waits until all work has ended. */
export async function settled(settling: Settling): Promise<Settled> {
  const { database, temporal, integratorOf, elsewhere, staysOpen, audit, isServing, patienceMs } = settling;
  const deadlineMs = performance.now() + patienceMs;
  let auditAtMs = performance.now() + LEFT_ALONE_MS;
  let logAtMs = performance.now() + LOG_EVERY_MS;
  const asked = new Set<string>();
  let last: readonly Open[] = [];
  for (;;) {
    const em = database.em.fork();
    const mayStay = (await staysOpen?.()) ?? new Set();
    const all = [...(await em.execute<Open[]>(OPEN)), ...((await elsewhere?.()) ?? [])];
    const rows = all.filter(({ id }) => !mayStay.has(id));
    const isOver = performance.now() > deadlineMs;
    // Temporal's lists are long, so they are requested only when no row is open.
    const looksSettled = rows.length === 0 && !isServing();
    const open =
      isOver || looksSettled ? [...rows, ...(await openWorkflows(temporal, database, mayStay))] : rows;
    if (isOver || (looksSettled && open.length === 0)) return { open, last };
    if (open.length > 0) last = open;
    if (performance.now() > logAtMs) {
      settling.log?.(`${open.length} still open: ${open.slice(0, LOGGED).map(openText).join(', ')}`);
      logAtMs += LOG_EVERY_MS;
    }
    const waiting = await em.execute<Waiting[]>(WAITING, [RESEND_AFTER_MS / 1_000]);
    for (const { id, storeId } of waiting.filter((each) => !asked.has(each.id))) {
      asked.add(id);
      // A failure shows as a delivery that has not ended.
      integratorOf(storeId)
        .post('webhooks/resend', { id })
        .catch(() => undefined);
    }
    if (performance.now() > auditAtMs) {
      await audit();
      auditAtMs = performance.now() + AUDIT_EVERY_MS;
    }
    await sleep(LOOK_EVERY_MS);
  }
}
