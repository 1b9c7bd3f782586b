import { z } from 'zod';
import type { Customer } from '../database/entities/customer.ts';
import {
  CHANGEABLE_DETAILS,
  type ChangeableDetail,
  DETAIL_CHANGERS,
  type DetailChanger,
} from '../domain/customer.ts';
import { defineEvent } from './definition.ts';
import { eventCustomer, exampleCustomer, publishedCustomer } from './parties.ts';

const data = z.strictObject({
  customer: eventCustomer,
  changed: z.array(z.enum(CHANGEABLE_DETAILS)).meta({
    description: 'The fields that have another value now. `customers/get` has their values.',
  }),
  changedBy: z.enum(DETAIL_CHANGERS).meta({
    description: '`MERCHANT` for `customers/update`, `CUSTOMER` for the customer portal.',
  }),
});

/** The `data` of `customer.updated`. */
export function customerEventData(
  customer: Customer,
  changed: readonly ChangeableDetail[],
  changedBy: DetailChanger,
): z.output<typeof data> {
  return { customer: publishedCustomer(customer), changed: [...changed], changedBy };
}

/** Events of customers: our addition. */
export const customerEvents = {
  'customer.updated': defineEvent(
    "A customer's details changed, by `customers/update` or by the customer in the portal. Our addition",
    data,
    { customer: exampleCustomer, changed: ['cellphone'], changedBy: 'MERCHANT' },
  ),
};
