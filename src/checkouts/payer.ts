import type { Charge } from '../database/charge.ts';
import type { Checkout } from '../database/checkout.ts';
import { CustomerEntity } from '../database/customer.ts';
import { linkPayer } from '../database/insert-customer.ts';
import type { Em } from '../database/orm.ts';
import type { PaymentMethod } from '../domain/charge.ts';
import type { CustomerId } from '../domain/ids.ts';
import { parseTaxId } from '../domain/tax-id.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/** Who pays, as they typed it; null where they left a field empty. */
export interface TypedPayer {
  readonly name: string | null;
  /** Formatted or bare. */
  readonly taxId: string | null;
  readonly email: string | null;
  readonly cellphone: string | null;
}

/** Who is known to pay: a customer there is, or what makes one, which is stored with the charge only; null for nobody. */
export type KnownPayer =
  | { readonly customerId: CustomerId }
  | { readonly typed: TypedPayer; readonly bareTaxId: string }
  | null;

/**
 * The checkout's own customer, else whoever has the tax id that was typed. Nobody where the payer said nothing that
 * identifies them, which PIX and cards allow.
 *
 * @throws PaymentRefusal PAYER_TAX_ID_INVALID, and for a boleto PAYER_NAME_REQUIRED or PAYER_TAX_ID_REQUIRED.
 */
export async function knownPayer(
  em: Em,
  checkout: Checkout,
  method: PaymentMethod,
  typed: TypedPayer,
): Promise<KnownPayer> {
  const own = await ownCustomer(em, checkout);
  const needsBoth = method === 'BOLETO';
  // A boleto names its payer, so a customer who lacks a name or tax id gives way to what the payer typed.
  if (own && (!needsBoth || (own.name && own.taxId))) return { customerId: own.id };
  if (needsBoth && typed.name === null) throw new PaymentRefusal('PAYER_NAME_REQUIRED');
  if (typed.taxId === null) {
    if (needsBoth) throw new PaymentRefusal('PAYER_TAX_ID_REQUIRED');
    return null;
  }
  const taxId = parseTaxId(typed.taxId);
  if (taxId === null) throw new PaymentRefusal('PAYER_TAX_ID_INVALID');
  return { typed, bareTaxId: taxId.bare };
}

/** The customer of a known payer, found or created in the caller's transaction. */
export async function customerOf(em: Em, payer: KnownPayer, charge: Charge): Promise<CustomerId | null> {
  if (payer === null) return null;
  if ('customerId' in payer) return payer.customerId;
  return linkPayer(em, charge, payer.typed, payer.bareTaxId, charge.createdAt);
}

/** The customer that the integrator named, while their data is not erased. */
async function ownCustomer(em: Em, { customerId }: Checkout) {
  return customerId && (await em.findOne(CustomerEntity, { id: customerId, deletedAt: null }));
}
