import { emailHashOf } from '../customers/email-hash.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import { PayerSessionEntity } from '../database/entities/payer-session.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { presentEmailOf } from '../database/present-email.ts';
import type { CustomerId } from '../domain/ids.ts';
import { merchantsEmail } from '../domain/payer.ts';

const FRESH = { disableIdentityMap: true } as const;

/**
 * The e-mail address that a charge's reminders go to. For a customer whom the merchant named: the address that came with the charge,
 * else the merchant's own for that customer. For a customer whom only a payer named: the address that the payer typed, if somebody has
 * proven it in the customer portal. The payer may have typed another person's tax id, or another person's address.
 * @returns null if there is none, and once the customer is deleted.
 */
export async function reminderAddress(em: Em, charge: Charge): Promise<string | null> {
  const { customerId, customerNamedBy, checkoutId, payerEmail } = charge;
  const customer = await presentCustomer(em, customerId);
  if (customer === null) return null;
  if (customerNamedBy === 'MERCHANT') {
    // On the page of a checkout a payer types an address, also if the merchant has named the customer.
    if (checkoutId === null && payerEmail !== null) return presentEmailOf(em, customerId, payerEmail);
    return merchantsEmail(customer);
  }
  return provenAddress(em, customer.id, payerEmail);
}

/**
 * The e-mail address that a subscription's reminders go to, by the same rules: the merchant's own for a customer whom the merchant
 * named, else the address that the payer typed at the first payment, if it is proven.
 */
export async function subscriptionAddress(em: Em, subscription: Subscription): Promise<string | null> {
  const { customerId, customerNamedBy, checkoutId } = subscription;
  const customer = await presentCustomer(em, customerId);
  if (customer === null) return null;
  const own = customerNamedBy === 'MERCHANT' ? merchantsEmail(customer) : null;
  if (own !== null) return own;
  const paid = { checkoutId, customerId, cycleId: null, paidAt: { $ne: null } };
  const first = await em.findOne(ChargeEntity, paid, { ...FRESH, orderBy: { createdAt: 'asc' } });
  return provenAddress(em, customer.id, first?.payerEmail ?? null);
}

/** The customer; null if there is none, or they are deleted. */
export async function presentCustomer(em: Em, id: CustomerId | null): Promise<Customer | null> {
  return id === null ? null : em.findOne(CustomerEntity, { id, deletedAt: null }, FRESH);
}

async function provenAddress(em: Em, customerId: CustomerId, typed: string | null): Promise<string | null> {
  if (typed === null) return null;
  const email = await presentEmailOf(em, customerId, typed);
  const proven = { customerId, emailHash: emailHashOf(customerId, email) };
  return (await em.count(PayerSessionEntity, proven)) > 0 ? email : null;
}
