import { METHODS } from '../charges/methods/index.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import { linkPayer } from '../database/link-customer.ts';
import type { Em } from '../database/orm.ts';
import type { CustomerOwner } from '../database/record-customer.ts';
import type { PaymentMethod } from '../domain/charge.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { Payer } from '../domain/payer.ts';
import { parseTaxId } from '../domain/tax-id.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/** Who pays, as they typed it: the tax id formatted or bare, and null where they left a field empty. */
export type TypedPayer = Payer;

/** Who pays a charge, and which customer of the merchant's that is. */
export interface KnownPayer {
  readonly payer: Payer;
  /** Null where only what was typed says who it is; it is then found or made when the charge is stored. */
  readonly customerId: CustomerId | null;
}

/**
 * The customer that the merchant has named for this checkout, as they are on record; else what was typed, and
 * nothing that is on record for it. A payment link is paid by anybody: a customer named for it only pre-fills
 * its page.
 *
 * @throws PaymentRefusal PAYER_TAX_ID_INVALID, and for a boleto PAYER_NAME_REQUIRED or PAYER_TAX_ID_REQUIRED.
 */
export async function knownPayer(
  em: Em,
  checkout: Checkout,
  method: PaymentMethod,
  typed: TypedPayer,
): Promise<KnownPayer> {
  const own = await namedCustomer(em, checkout);
  const needsBoth = METHODS[method].namesPayer;
  // A boleto names its payer, so a customer who lacks a name or tax id gives way to what the payer typed.
  if (own && (!needsBoth || (own.name && own.taxId))) {
    const { id, name, taxId, email, cellphone } = own;
    return { payer: { name, taxId, email, cellphone }, customerId: id };
  }
  if (needsBoth && typed.name === null) throw new PaymentRefusal('PAYER_NAME_REQUIRED');
  if (needsBoth && typed.taxId === null) throw new PaymentRefusal('PAYER_TAX_ID_REQUIRED');
  const taxId = typed.taxId === null ? null : parseTaxId(typed.taxId);
  if (typed.taxId !== null && taxId === null) throw new PaymentRefusal('PAYER_TAX_ID_INVALID');
  return { payer: { ...typed, taxId: taxId?.bare ?? null }, customerId: null };
}

/** The customer of a known payer, found or created in the caller's transaction; null for nobody. */
export async function customerOf(
  em: Em,
  { payer, customerId }: KnownPayer,
  owner: CustomerOwner,
  now: Date,
): Promise<CustomerId | null> {
  return customerId ?? linkPayer(em, owner, payer, now);
}

/** While their data is not erased. */
async function namedCustomer(em: Em, { customerId, frequency }: Checkout) {
  if (customerId === null || frequency === 'MULTIPLE_PAYMENTS') return null;
  return em.findOne(CustomerEntity, { id: customerId, deletedAt: null });
}
