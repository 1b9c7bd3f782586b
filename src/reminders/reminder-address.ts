import { emailHashOf } from '../customers/email-hash.ts';
import type { Charge } from '../database/entities/charge.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import { PayerSessionEntity } from '../database/entities/payer-session.ts';
import type { Em } from '../database/orm.ts';

const FRESH = { disableIdentityMap: true } as const;

/**
 * The e-mail address that a charge's reminders go to. For a customer whom the merchant named: the address that came with the charge,
 * else the merchant's own for that customer. For a customer whom only a payer named: the address that the payer typed, if somebody has
 * proven it in the customer portal. The payer may have typed another person's tax id, or another person's address.
 * @returns null if there is none, and once the customer is deleted.
 */
export async function reminderAddress(em: Em, charge: Charge): Promise<string | null> {
  const { customerId, customerNamedBy, checkoutId, payerEmail } = charge;
  if (customerId === null) return null;
  const customer = await em.findOne(CustomerEntity, { id: customerId, deletedAt: null }, FRESH);
  if (customer === null) return null;
  if (customerNamedBy === 'MERCHANT') {
    // On the page of a checkout a payer types an address, also if the merchant has named the customer.
    if (checkoutId === null && payerEmail !== null) return payerEmail;
    return customer.typedByPayer ? null : customer.email;
  }
  if (payerEmail === null) return null;
  const proven = { customerId, emailHash: emailHashOf(customerId, payerEmail) };
  return (await em.count(PayerSessionEntity, proven)) > 0 ? payerEmail : null;
}
