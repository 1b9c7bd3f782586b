import type { Em } from '../../database/orm.ts';
import { type Sale, writeSaleCreated } from '../../events/sale-created.ts';
import type { ApiRequest } from './request.ts';
import { startDeliveries } from './start-deliveries.ts';

/**
 * Publishes a new checkout or charge in the transaction that creates it, for endpoints that were subscribed when the
 * request arrived (`announcesSales` of its key). Deliveries start after the commit; the sweeper starts missed ones.
 */
export async function announceSale(request: ApiRequest, em: Em, sale: Sale): Promise<void> {
  const { deps, now } = request;
  const deliveries = await writeSaleCreated(em, sale, deps.publicUrl, now);
  request.afterCommit(() => startDeliveries(deps, deliveries));
}
