import { CustomerEntity } from '../../database/entities/customer.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeId, CheckoutId, CustomerId } from '../../domain/ids.ts';
import { writeEvent } from '../../events/record.ts';
import { deliveryWorkflowStart } from '../../temporal/delivery.ts';
import { eventCustomer } from '../../wire/customer.ts';
import type { ApiRequest } from '../frame/request.ts';

/** What can be paid from now on. */
interface Created {
  readonly id: CheckoutId | ChargeId;
  readonly customerId: CustomerId | null;
}

/**
 * Writes `billing.created` in the transaction of what was created, where an endpoint of v1 was subscribed to it when the request
 * came (contract section 7); v2 has no such event. Its deliveries start after the commit, or are left to the sweeper.
 * @param about what is told of it, as in the events of v2.
 */
export async function tellBillingCreated(
  request: ApiRequest,
  em: Em,
  { id, customerId }: Created,
  about: { readonly checkout: object } | { readonly transparent: object },
): Promise<void> {
  const { storeId, devMode } = request.key;
  const customer = customerId && (await em.findOne(CustomerEntity, { id: customerId }));
  const data = { ...about, customer: eventCustomer(customer || null) };
  const owner = { storeId, devMode, customerId };
  const deliveries = await writeEvent(em, owner, 'billing.created', id, data, request.now);
  request.afterCommit(() => {
    for (const delivery of deliveries) request.deps.starter.startSoon(deliveryWorkflowStart(delivery));
  });
}
