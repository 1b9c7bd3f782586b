import { z } from 'zod';
import type { CustomerPortal } from '../../database/entities/customer-portal.ts';
import { idText, timestamp } from '../../wire/fields.ts';
import { customerExample } from '../customers/schema.ts';

const exampleCheckoutId = 'bill_01KAK0Z7Q3C5D7E9F1G3H5J7KM';

export const createCustomerPortalBody = z.strictObject({
  customerId: idText(customerExample.id),
  checkoutId: idText(exampleCheckoutId).nullish().meta({
    description: 'A purchase of the customer. The portal has a link back to it.',
    example: exampleCheckoutId,
  }),
});

export const customerPortalView = z
  .object({
    id: z.string(),
    url: z
      .string()
      .meta({ description: 'Send it to the customer. Its page asks for a code that is mailed.' }),
    customerId: z.string(),
    checkoutId: z.string().nullable(),
    devMode: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'CustomerPortal' });
export type CustomerPortalView = z.output<typeof customerPortalView>;

export const customerPortalExample: CustomerPortalView = {
  id: 'cpl_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  url: 'https://pay.example.com/portal/cpl_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  customerId: customerExample.id,
  checkoutId: null,
  devMode: true,
  createdAt: '2026-03-06T14:22:08.120Z',
};

export function presentCustomerPortal(link: CustomerPortal, publicUrl: string): CustomerPortalView {
  const { id, customerId, checkoutId, devMode, createdAt } = link;
  const url = `${publicUrl}/portal/${id}`;
  return { id, url, customerId, checkoutId, devMode, createdAt: createdAt.toISOString() };
}
