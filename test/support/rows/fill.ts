import type { Database } from '../../../src/database/orm.ts';

/** A store and how many charges it is given; there are a third as many customers and checkouts, and twice as many deliveries. */
export interface Filled {
  readonly storeId: string;
  readonly charges: number;
}

/** Rows of one statement: large enough to be quick, small enough for a connection's patience. */
const BATCH = 100_000;

/** The year before now, evenly. `:n` is the number of rows in all, `i` that of the row, from 1. */
const AT = `now() - interval '365 days' + (i::float8 / :n) * interval '364 days'`;

/** Ids are in the order of time, as those that are minted. `tag` keeps stores apart. */
const id = (prefix: string, number: string) =>
  `'${prefix}' || :tag || lpad(upper(to_hex(${number})), 22, '0')`;

const CUSTOMERS = `
  insert into customers (id, store_id, dev_mode, tax_id, name, email, country, metadata, created_at, updated_at)
  select ${id('cust_', 'i')}, :storeId, true, lpad(i::text, 11, '0'), 'Cliente ' || i, 'cliente' || i || '@example.com', 'BR', '{}', ${AT}, ${AT}
  from generate_series(:from::bigint, :to::bigint) i`;

const CHECKOUTS = `
  insert into checkouts (id, store_id, dev_mode, frequency, status, amount_cents, items, methods, coupons, customer_id,
    external_id, metadata, max_installments, expires_at, created_at, updated_at, workflow_started_at)
  select ${id('bill_', 'i')}, :storeId, true, case when i % 50 = 0 then 'MULTIPLE_PAYMENTS' else 'ONE_TIME' end,
    case when i % 1000 = 0 then 'CANCELLED' when i % 5 = 0 then 'EXPIRED' else 'PAID' end, 4900, '[]', '{PIX}', '{}',
    ${id('cust_', 'i')}, 'pedido-' || i, '{}', 1, ${AT} + interval '2 years', ${AT}, ${AT}, ${AT}
  from generate_series(:from::bigint, :to::bigint) i`;

/** Two of three belong to no checkout. */
const CHARGES = `
  insert into charges (id, store_id, dev_mode, method, status, amount_cents, paid_amount_cents, platform_fee_cents, description,
    external_id, content_hash, metadata, customer_id, provider, provider_reference, br_code, checkout_id, attempt_key,
    expires_at, closes_at, created_at, updated_at, paid_at, settles_at, settled_at, workflow_started_at)
  select ${id('pix_char_', 'i')}, :storeId, true, 'PIX', status, 2500, case when status = 'PAID' then 2500 end, 80, 'Pedido ' || i,
    'ext-' || i, md5(i::text), case when i % 3 <> 0 then json_build_object('order', i::text, 'channel', 'web') else '{}' end, ${id('cust_', '(i + 2) / 3')}, 'sandbox', :tag || i, '00020126580014br.gov.bcb.pix', checkout_id,
    case when checkout_id is not null then md5(i::text) end,
    closes_at, closes_at, at, at, paid_at, paid_at, paid_at, at
  from generate_series(:from::bigint, :to::bigint) i,
    lateral (select ${AT} as at, ${AT} + interval '2 years' as closes_at,
      case when i % 10000 = 0 then 'CANCELLED' when i % 100 = 0 then 'PENDING' when i % 4 = 0 then 'EXPIRED' else 'PAID' end as status) as outcome,
    lateral (select case when status = 'PAID' then at end as paid_at,
      case when i % 3 = 0 then ${id('bill_', 'i / 3')} end as checkout_id) as made`;

/** One of three customers has a monthly subscription; one of a hundred of these was cancelled. */
const SUBSCRIPTIONS = `
  insert into subscriptions (id, status, store_id, dev_mode, checkout_id, customer_id, metadata, coupons, method, plan, amount_cents,
    cycle, max_retry, retry_every_days, anchor_at, anchor_number, cycle_number, cycle_starts_at, cycle_ends_at, failed_attempts,
    created_at, updated_at, workflow_started_at)
  select ${id('subs_', 'i')}, case when i % 100 = 0 then 'CANCELLED' else 'ACTIVE' end, :storeId, true, ${id('bill_', '3 * i')},
    ${id('cust_', '3 * i')}, '{}', '{}', 'CARD',
    jsonb_build_object('productId', 'prod_none', 'name', 'Plano', 'imageUrl', null, 'quantity', 1, 'unitPriceCents', 4900),
    4900, 'MONTHLY', 3, 1, ${AT}, 1, 1, ${AT}, now() + interval '1 year', 0,
    ${AT}, ${AT}, ${AT}
  from generate_series(:from::bigint, :to::bigint) i`;

/** Payments are in the ledger, and so in the statement. */
const MOVEMENTS = `
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
    blocked_cents, outgoing_cents, platform_fees_cents, created_at)
  select id, 'PAYMENT', store_id, dev_mode, paid_amount_cents, 0, paid_amount_cents - platform_fee_cents, 0, 0, platform_fee_cents, paid_at
  from charges, generate_series(:from::bigint, :to::bigint) i
  where id = ${id('pix_char_', 'i')} and status = 'PAID' and :n > 0 and store_id = :storeId`;

/** Of each charge; one of three is that of a checkout, of which the first one is a payment link that was paid by hundreds. */
const EVENTS = `
  insert into events (id, store_id, dev_mode, name, key, subject_id, checkout_id, data, created_at, customer_id)
  select ${id('evnt_', 'i')}, :storeId, true, name, name || '/' || case when name = 'transparent.refunded' then ${id('tran_', 'i')} else charge_id end,
    case when name = 'transparent.refunded' then charge_id end,
    case when i % 3 = 0 then case when i % 9 = 0 then ${id('bill_', '1')} else ${id('bill_', 'i / 3')} end end,
    '{"transparent":{"id":"x","amount":2500,"status":"PAID"},"customer":null}', ${AT}, ${id('cust_', '(i + 2) / 3')}
  from generate_series(:from::bigint, :to::bigint) i,
    lateral (select ${id('pix_char_', 'i')} as charge_id,
      case when i % 1000 = 0 then 'transparent.refunded' else 'transparent.completed' end as name) as published`;

/** Two endpoints, of which the second one takes nothing now and then. */
const DELIVERIES = `
  insert into deliveries (id, event_id, webhook_id, store_id, dev_mode, event_name, status, attempts, created_at, finished_at, workflow_started_at)
  select ${id('log_', '2 * i + side')}, ${id('evnt_', 'i')}, ${id('webh_', 'side')}, :storeId, true,
    case when i % 1000 = 0 then 'transparent.refunded' else 'transparent.completed' end,
    case when side = 1 and i % 500 = 0 then 'FAILED' else 'DELIVERED' end, 1, ${AT}, ${AT}, ${AT}
  from generate_series(:from::bigint, :to::bigint) i, generate_series(0, 1) side`;

const ATTEMPTS = `
  insert into delivery_attempts (delivery_id, attempt_key, started_at, duration_ms, status_code, response_excerpt)
  select ${id('log_', '2 * i + side')}, 'run-1', ${AT}, 20, 200, 'ok'
  from generate_series(:from::bigint, :to::bigint) i, generate_series(0, 1) side`;

const WEBHOOKS = `
  insert into webhooks (id, store_id, dev_mode, name, endpoint, secret, events, v2, created_at, updated_at)
  select ${id('webh_', 'side')}, :storeId, true, 'Endpoint ' || side, 'http://127.0.0.1:9/', 'secret', '{subscription.renewed}', true, now(), now()
  from generate_series(0, 1) side`;

const PAYOUTS = `
  insert into payouts (id, kind, store_id, dev_mode, status, amount_cents, platform_fee_cents, external_id, content_hash, pix_key_type, pix_key, created_at, updated_at, workflow_started_at)
  select ${id('tran_', 'i')}, case when i % 2 = 0 then 'PAYOUT' else 'TRANSFER' end, :storeId, true,
    case when i % 1000 = 0 then 'FAILED' else 'COMPLETE' end, 1000, 80, 'saque-' || i, md5(i::text), 'EMAIL', 'loja@example.com', ${AT}, ${AT}, ${AT}
  from generate_series(:from::bigint, :to::bigint) i`;

const KEPT_ANSWERS = `
  insert into idempotency_records (store_id, dev_mode, key, request_hash, status, body, created_at)
  select :storeId, true, 'kept-' || i, 'json:' || md5(i::text), 200, '{"data":{"id":"x"},"success":true,"error":null}', now() - interval '1 hour'
  from generate_series(:from::bigint, :to::bigint) i`;

/**
 * Gives stores years of business, in rows as the service leaves them: nothing is left to do about any of them.
 * @param vacuum false where the caller needs no figures.
 */
export async function fill(database: Database, stores: readonly Filled[], vacuum = true): Promise<void> {
  const em = database.em.fork();
  for (const [index, { storeId, charges }] of stores.entries()) {
    const third = Math.ceil(charges / 3);
    const parts: [string, number][] = [
      [CUSTOMERS, third],
      [CHECKOUTS, third],
      [CHARGES, charges],
      [MOVEMENTS, charges],
      [SUBSCRIPTIONS, Math.floor(third / 3)],
      [EVENTS, charges],
      [PAYOUTS, Math.ceil(charges / 30)],
      [KEPT_ANSWERS, Math.ceil(charges / 30)],
    ];
    const tag = `F${String(index).padStart(3, '0')}`;
    await em.execute(WEBHOOKS, { storeId, tag } as never);
    for (const [sql, n] of [...parts, [DELIVERIES, charges], [ATTEMPTS, charges]] as [string, number][])
      for (let from = 1; from <= n; from += BATCH)
        await em.execute(sql, { storeId, tag, n, from, to: Math.min(n, from + BATCH - 1) } as never);
  }
  if (vacuum) await em.execute('vacuum analyze');
}
