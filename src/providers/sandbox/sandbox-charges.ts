import { type SandboxCharge, SandboxChargeEntity } from '../../database/entities/sandbox-charge.ts';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ProviderPayment, ProviderRefund } from '../ports/payment.ts';
import { presentPayment } from './sandbox-payment.ts';

const FIND = statement<{ reference: string }, SandboxCharge>(
  'find a sandbox charge',
  (columns) => `
  select ${columns.read(SandboxChargeEntity, 'charge')} from sandbox_charges charge where reference = :reference`,
);

export async function findSandboxCharge(
  database: Database,
  reference: string,
): Promise<SandboxCharge | null> {
  const [row = null] = await FIND(database, { reference });
  return row;
}

/** Closes a charge whose card is PENDING. */
export const closePending = statement<{ reference: string }>(
  'close a pending sandbox charge',
  () => `update sandbox_charges set status = 'CLOSED' where reference = :reference and status = 'PENDING'`,
);

type Refunded = SandboxCharge & {
  readonly refunds: readonly Pick<ProviderRefund, 'reference' | 'amountCents'>[];
};

const FIND_BY_PAYMENT = statement<{ paymentId: string }, Refunded>(
  'find a sandbox charge by its payment',
  (columns) => `
  select ${columns.read(SandboxChargeEntity, 'charge')}, (
    select coalesce(json_agg(json_build_object('reference', refund.reference, 'amountCents', refund.amount_cents)), '[]')
    from sandbox_refunds refund where refund.payment_id = charge.payment_id
  ) as refunds
  from sandbox_charges charge where payment_id = :paymentId`,
);

/** A payment with its refunds. */
export async function findSandboxPayment(
  database: Database,
  paymentId: string,
): Promise<ProviderPayment | null> {
  const [row] = await FIND_BY_PAYMENT(database, { paymentId });
  const payment = row === undefined ? null : presentPayment(row);
  if (row === undefined || payment === null) return null;
  const refunds = row.refunds.map((refund) => ({ ...refund, status: 'RETURNED', kind: 'ORDINARY' }) as const);
  return { ...payment, refunds };
}

/** The service has acknowledged this payment's notification. */
export const acknowledgeSandboxPayment = statement<{ paymentId: string; now: Date }>(
  'acknowledge a sandbox payment',
  () => 'update sandbox_charges set notified_at = :now where payment_id = :paymentId',
);
