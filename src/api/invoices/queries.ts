import type { FilterQuery } from '@mikro-orm/core';
import { type Invoice, InvoiceEntity } from '../../database/entities/invoice.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeId, CheckoutId, CustomerId, InvoiceId, SubscriptionId } from '../../domain/ids.ts';
import { parseInvoiceNumber } from '../../domain/invoice.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';
import type { ListInvoicesQuery } from './schema.ts';

/** Nobody sees an invoice before it has its number. */
const NUMBERED = { numberYear: { $ne: null } };

/** @throws ApiError NOT_FOUND, as {@link requireRow} does, also for one without a number. */
export function requireInvoice(
  em: Em,
  caller: Pick<Caller, 'storeId' | 'devMode'>,
  id: string,
): Promise<Invoice> {
  const where = { ...ownedBy(caller), ...NUMBERED, id: id as InvoiceId };
  return requireRow(em, InvoiceEntity, where, 'Invoice');
}

/** The query condition of GET `/invoices/list`. */
export async function invoiceFilter(
  em: Em,
  caller: Caller,
  { number, status, customerId, subscriptionId, checkoutId, paymentId, ...created }: ListInvoicesQuery,
): Promise<FilterQuery<Invoice>> {
  return {
    ...ownedBy(caller),
    ...(number === undefined ? NUMBERED : numbered(number)),
    ...createdWithin(created),
    ...(status !== undefined && { status }),
    ...(customerId !== undefined && { customerId: customerId as CustomerId }),
    ...(paymentId !== undefined && { chargeId: paymentId as ChargeId }),
    ...(checkoutId !== undefined && { checkoutId: checkoutId as CheckoutId }),
    ...(subscriptionId !== undefined && {
      $and: [await ofSubscription(em, caller, subscriptionId as SubscriptionId)],
    }),
  };
}

/** Another text than a number finds nothing. */
function numbered(text: string) {
  const parsed = parseInvoiceNumber(text);
  return { numberYear: parsed?.year ?? 0, numberInYear: parsed?.inYear ?? 0 };
}

/** Through the checkout, which has an index. */
async function ofSubscription(em: Em, caller: Caller, id: SubscriptionId): Promise<FilterQuery<Invoice>> {
  const found = await em.findOne(
    SubscriptionEntity,
    { ...ownedBy(caller), id },
    { disableIdentityMap: true },
  );
  return { subscriptionId: id, checkoutId: { $in: found === null ? [] : [found.checkoutId] } };
}
