import { noteAttention } from '../../database/attention.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeId } from '../../domain/ids.ts';

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

/**
 * Asks the store for a refund of a payment, in the caller's transaction: a note on its dashboard until it refunds or declines. The
 * lock makes a refund that completes at the same time wait, so that it closes the note.
 * @returns false if the payment is not the store's any more, or the payer has asked before.
 */
export async function requestRefund(
  em: Em,
  { id, storeId, devMode }: Pick<Charge, 'id' | 'storeId' | 'devMode'>,
  now: Date,
): Promise<boolean> {
  const paid = await em.execute<unknown[]>(
    `select 1 from charges where id = :id and status = 'PAID' and refund_id is null for update`,
    { id },
  );
  if (paid.length === 0 || (await refundRequestsOf(em, [id])).has(id)) return false;
  return noteAttention(em, { kind: 'REFUND_REQUESTED', subjectId: id, storeId, devMode, since: now, now });
}
