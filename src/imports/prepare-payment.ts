import { OutsidePaymentEntity } from '../database/entities/outside-payment.ts';
import type { Em } from '../database/orm.ts';
import type { OutsidePaymentId } from '../domain/ids.ts';
import { importedIdOf } from './import-ids.ts';
import { type ImportJob, type Planned, refuse } from './job.ts';
import type { PaymentRow } from './rows.ts';

/** A payment that was taken and settled elsewhere: history to show, which no balance counts. */
export async function preparePayment(
  _em: Em,
  job: ImportJob,
  foreignId: string,
  row: PaymentRow,
  now: Date,
): Promise<Planned> {
  const { storeId, devMode, source, references } = job;
  if (row.paidAt > now)
    refuse('paidAt', 'must not be in the future: only payments that were made are imported');
  const customer = row.customer && (await references.find('customer', row.customer));
  if (customer === null && row.customer !== null)
    refuse('customer', 'must be the id of a customer of this import');
  const subscription = row.subscription && (await references.find('subscription', row.subscription));
  const payment = {
    id: importedIdOf<OutsidePaymentId>(job, 'outsidePayment', foreignId),
    ...{ storeId, devMode, source },
    externalId: foreignId,
    customerId: customer ? customer.id : null,
    // One that had ended before was left out.
    subscriptionId: subscription ? subscription.id : null,
    method: row.method,
    amountCents: row.amount,
    refundedCents: row.refunded,
    paidAt: row.paidAt,
    createdAt: now,
  };
  const write = async (tx: Em) => {
    await tx.insert(OutsidePaymentEntity, payment);
    return null;
  };
  return { rowId: payment.id, outcome: 'MADE', note: null, uniqueBy: null, value: payment, write };
}
