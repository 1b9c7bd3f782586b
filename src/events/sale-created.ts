import { CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { Em } from '../database/orm.ts';
import { writeEvent } from './record.ts';
import { billingCreatedData, type Sale } from './v1/v1-only.ts';

export type { Sale };

/**
 * Writes the event of a new checkout or charge, in the transaction that creates it (contract section 7).
 * @returns the deliveries to start after the commit.
 */
export async function writeSaleCreated(
  em: Em,
  sale: Sale,
  publicUrl: string,
  now: Date,
): Promise<DeliveryToStart[]> {
  const sold = 'checkout' in sale ? sale.checkout : sale.transparent;
  const customer = sold.customerId && (await em.findOne(CustomerEntity, { id: sold.customerId }));
  const data = billingCreatedData(sale, customer || null, publicUrl);
  return writeEvent(em, sold, 'billing.created', sold.id, data, now);
}
