import { type OutsidePayment, OutsidePaymentEntity } from '../database/entities/outside-payment.ts';
import type { Em } from '../database/orm.ts';
import type { CustomerId, StoreId } from '../domain/ids.ts';

/** The newest payments of a customer that another system took and settled. */
export function outsidePaymentsOf(
  em: Em,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
  customerId: CustomerId,
  most: number,
): Promise<OutsidePayment[]> {
  const newest = { orderBy: { paidAt: 'desc', id: 'desc' }, limit: most, disableIdentityMap: true } as const;
  return em.find(OutsidePaymentEntity, { storeId, devMode, customerId }, newest);
}
