import { LockMode } from '@mikro-orm/core';
import { noteAttention, resolveAttention } from '../../database/attention.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { cycleOfCharge } from '../../events/charged-cycle.ts';
import { writeEvent } from '../../events/record.ts';
import { refundRequestEventData } from '../../events/refund.ts';

/** What became of a payer's request for a refund. A refund of the payment closes it as well. */
export type RefundRequestStatus = 'OPEN' | 'CLOSED';

export interface RefundRequest {
  readonly chargeId: ChargeId;
  readonly status: RefundRequestStatus;
  readonly requestedAt: Date;
}

const READ = statement<{ ids: readonly ChargeId[] }, RefundRequest>(
  'read requests for refunds',
  () => `
  select distinct on (subject_id) subject_id as "chargeId", noted_at as "requestedAt",
    case when resolved_at is null then 'OPEN' else 'CLOSED' end as status
  from attention where kind = 'REFUND_REQUESTED' and subject_id = any(:ids::text[])
  order by subject_id, noted_at desc`,
);

/** The newest request for each of these payments, by their ids. */
export async function refundRequestsOf(
  em: Em,
  ids: readonly ChargeId[],
): Promise<ReadonlyMap<ChargeId, RefundRequest>> {
  if (ids.length === 0) return new Map();
  return new Map((await READ(em, { ids })).map((request) => [request.chargeId, request]));
}

interface Asked {
  /** The service's time, which the dashboard shows the note with. */
  readonly now: Date;
  /** The store's time, which its events have. */
  readonly storeNow: Date;
  readonly publicUrl: string;
}

/**
 * Asks the store for a refund of a payment, in the caller's transaction: a note on its dashboard until it refunds or declines, and
 * `refund.requested`. The lock makes a refund that completes at the same time wait, so that it closes the note.
 * @returns the deliveries to start after the commit; null if the payment is not the store's any more, or the payer has asked before,
 * and nothing happened.
 */
export async function requestRefund(
  em: Em,
  { id }: Pick<Charge, 'id'>,
  { now, storeNow, publicUrl }: Asked,
): Promise<readonly DeliveryToStart[] | null> {
  const held = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
  const charge = await em.findOne(ChargeEntity, { id, status: 'PAID', refundId: null }, held);
  if (charge === null || (await refundRequestsOf(em, [id])).has(id)) return null;
  const { storeId, devMode } = charge;
  const noted = { kind: 'REFUND_REQUESTED', subjectId: id, storeId, devMode, since: now, now } as const;
  if (!(await noteAttention(em, noted))) return null;
  const { customerId } = charge;
  const customer =
    customerId && (await em.findOne(CustomerEntity, { id: customerId }, { disableIdentityMap: true }));
  const cycle = await cycleOfCharge(em, charge);
  const data = refundRequestEventData(charge, customer || null, { cycle, requestedAt: storeNow, publicUrl });
  // Once a closed request is no longer kept, the payer may ask again.
  return writeEvent(em, charge, 'refund.requested', `${id}/${now.getTime()}`, data, storeNow);
}

/** Declines the request for a refund of a payment, in the caller's transaction. Without an open request, nothing happens. */
export async function declineRefund(em: Em, chargeId: ChargeId, now: Date): Promise<void> {
  await resolveAttention(em, { kind: 'REFUND_REQUESTED', subjectId: chargeId, now });
}
