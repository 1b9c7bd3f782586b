import type { DeliveryToStart } from '../src/database/delivery.ts';
import type { Event } from '../src/database/event.ts';
import type { Em } from '../src/database/orm.ts';
import type { ChargeId } from '../src/domain/ids.ts';
import { mintId } from '../src/ids.ts';
import type { ProviderPayment } from '../src/providers/provider.ts';

/**
 * One statement, and so one transaction in one round trip instead of seven: only where the charge was still PENDING
 * do `payments`, `events` and `deliveries` get their rows, each from the row that `paid` returned.
 */
const ACCEPT = `
  with paid as (
    update charges set status = 'PAID', paid_amount_cents = ?, paid_at = ?, updated_at = ?
    where id = ? and status = 'PENDING' returning id, store_id, dev_mode
  ), payment as (
    insert into payments (id, charge_id, provider, provider_payment_id, outcome, amount_cents, paid_at,
                          payer_name, payer_tax_id, created_at)
    select ?, paid.id, ?, ?, 'ACCEPTED', ?::bigint, ?::timestamptz, ?, ?, ?::timestamptz from paid
  ), event as (
    insert into events (id, store_id, dev_mode, name, key, data, created_at)
    select ?, paid.store_id, paid.dev_mode, ?, ?, ?, ?::timestamptz from paid returning id, created_at
  ), delivery as (
    insert into deliveries (id, event_id, webhook_id, status, attempts, next_attempt_at, created_at)
    select pair.id, event.id, pair.webhook_id, 'PENDING', 0, event.created_at, event.created_at
    from event, unnest(?::text[], ?::text[]) as pair (id, webhook_id)
  )
  select id from paid`;

/** @returns false, with nothing written, where the charge was no longer PENDING. */
export async function writeAcceptance(
  em: Em,
  chargeId: ChargeId,
  provider: string,
  { providerPaymentId, amountCents, paidAt, payer }: ProviderPayment,
  event: Event,
  deliveries: readonly DeliveryToStart[],
): Promise<boolean> {
  const now = event.createdAt;
  const charge = [amountCents, paidAt, now, chargeId];
  const payment = [
    mintId('payment', now),
    provider,
    providerPaymentId,
    amountCents,
    paidAt,
    payer.name,
    payer.taxId,
    now,
  ];
  const told = [event.id, event.name, event.key, event.data, now];
  const pairs = [
    textArray(deliveries.map((each) => each.deliveryId)),
    textArray(deliveries.map((each) => each.webhookId)),
  ];
  const paid = await em.execute<unknown[]>(ACCEPT, [...charge, ...payment, ...told, ...pairs]);
  return paid.length === 1;
}

/** Ids, which are letters, digits and underscores only, as Postgres writes an array of them. */
function textArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}
