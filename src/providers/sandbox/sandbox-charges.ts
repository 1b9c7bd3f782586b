import { type SandboxCharge, SandboxChargeEntity } from '../../database/entities/sandbox-charge.ts';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';

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

const FIND_BY_PAYMENT = statement<{ paymentId: string }, SandboxCharge>(
  'find a sandbox charge by its payment',
  (columns) => `
  select ${columns.read(SandboxChargeEntity, 'charge')} from sandbox_charges charge where payment_id = :paymentId`,
);

export async function findSandboxPayment(
  database: Database,
  paymentId: string,
): Promise<SandboxCharge | null> {
  const [row = null] = await FIND_BY_PAYMENT(database, { paymentId });
  return row;
}

/** The service has taken in this payment's notification. */
export const acknowledgeSandboxPayment = statement<{ paymentId: string; now: Date }>(
  'acknowledge a sandbox payment',
  () => 'update sandbox_charges set notified_at = :now where payment_id = :paymentId',
);
