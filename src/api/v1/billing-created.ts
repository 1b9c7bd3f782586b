import { CustomerEntity } from '../../database/entities/customer.ts';
import type { Em } from '../../database/orm.ts';
import { writeEvent } from '../../events/record.ts';
import { billingCreatedData, type Sold } from '../../events/v1/v1-only.ts';
import type { ApiRequest } from '../frame/request.ts';
import { startDeliveries } from '../frame/start-deliveries.ts';

/**
 * Writes `billing.created` in the transaction that creates the object, if a v1 endpoint was subscribed to it
 * when the request arrived (contract section 7). v2 has no such event. Deliveries start after the commit; the
 * sweeper starts missed ones.
 */
export async function publishBillingCreated(request: ApiRequest, em: Em, sold: Sold): Promise<void> {
  const { storeId, devMode } = request.key;
  const { id, customerId } = 'checkout' in sold ? sold.checkout : sold.transparent;
  const customer = customerId && (await em.findOne(CustomerEntity, { id: customerId }));
  const data = billingCreatedData(sold, customer || null, request.deps.publicUrl);
  const owner = { storeId, devMode, customerId };
  const deliveries = await writeEvent(em, owner, 'billing.created', id, data, request.now);
  request.afterCommit(() => startDeliveries(request.deps, deliveries));
}
