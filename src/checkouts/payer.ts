import { METHODS } from '../charges/methods/index.ts';
import { linkPayer } from '../customers/link-customer.ts';
import type { CustomerOwner } from '../customers/record-customer.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import type { PaymentMethod } from '../domain/charge.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { Payer } from '../domain/payer.ts';
import { parseTaxId } from '../domain/tax-id.ts';
import { PaymentRefusal, type PaymentRefusalReason } from './payment-refusal.ts';

/** The payer's own input: the tax id with or without punctuation, and null for empty fields. */
export type TypedPayer = Payer;

/** A charge's payer, and the merchant's customer that they are. */
export interface KnownPayer {
  readonly payer: Payer;
  /** Null if only the input identifies the payer; the customer is then found or created when the charge is stored. */
  readonly customerId: CustomerId | null;
}

/**
 * The recorded customer that the merchant named for this checkout; else the typed data only, without any record.
 * Anyone can pay a payment link: a customer named for it only pre-fills its page.
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
  // A boleto names its payer, so the typed data replaces a customer without name or tax id.
  if (own && (!needsBoth || (own.name && own.taxId))) {
    const { id, name, taxId, email, cellphone } = own;
    return { payer: { name, taxId, email, cellphone }, customerId: id };
  }
  const [refusal] = payerRefusalsOf(method, typed);
  if (refusal !== undefined) throw new PaymentRefusal(refusal);
  const taxId = typed.taxId === null ? null : parseTaxId(typed.taxId);
  return { payer: { ...typed, taxId: taxId?.bare ?? null }, customerId: null };
}

/** Everything that is wrong with the payer's input; empty if a payment by this method can name them. */
export function payerRefusalsOf(method: PaymentMethod, typed: TypedPayer): readonly PaymentRefusalReason[] {
  const { namesPayer } = METHODS[method];
  const refusals: PaymentRefusalReason[] = [];
  if (namesPayer && typed.name === null) refusals.push('PAYER_NAME_REQUIRED');
  if (namesPayer && typed.taxId === null) refusals.push('PAYER_TAX_ID_REQUIRED');
  if (typed.taxId !== null && parseTaxId(typed.taxId) === null) refusals.push('PAYER_TAX_ID_INVALID');
  return refusals;
}

/** The customer of a known payer, found or created in the caller's transaction; null if there is none. */
export async function customerOf(
  em: Em,
  { payer, customerId }: KnownPayer,
  owner: CustomerOwner,
  now: Date,
): Promise<CustomerId | null> {
  return customerId ?? linkPayer(em, owner, payer, now);
}

/** Only while the customer's data is not erased. */
async function namedCustomer(em: Em, { customerId, frequency }: Checkout) {
  if (customerId === null || frequency === 'MULTIPLE_PAYMENTS') return null;
  return em.findOne(CustomerEntity, { id: customerId, deletedAt: null });
}
