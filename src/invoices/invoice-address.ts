import { ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import type { Invoice } from '../database/entities/invoice.ts';
import type { Em } from '../database/orm.ts';
import { presentEmailOf } from '../database/present-email.ts';
import { merchantsEmail } from '../domain/payer.ts';

const FRESH = { disableIdentityMap: true } as const;

/**
 * The e-mail address that an invoice goes to: given with its payment, else with the first payment of its checkout, else that of the
 * customer whom the merchant named for the checkout. An address of a customer whom only a payer named is not used: the payer may
 * have typed another person's tax id.
 * @returns null if there is none, and once the customer is deleted.
 */
export async function invoiceAddress(em: Em, invoice: Invoice): Promise<string | null> {
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: invoice.checkoutId }, FRESH);
  const { customerId, customerNamedBy, paidByChargeId } = checkout;
  for (const id of [invoice.chargeId, paidByChargeId]) {
    const charge = id && (await em.findOne(ChargeEntity, { id }, FRESH));
    if (charge && charge.payerEmail !== null) return presentEmailOf(em, charge.customerId, charge.payerEmail);
  }
  if (customerId === null || customerNamedBy !== 'MERCHANT') return null;
  const customer = await em.findOne(CustomerEntity, { id: customerId, deletedAt: null }, FRESH);
  return customer && merchantsEmail(customer);
}
