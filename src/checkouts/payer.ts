import { payerRefusals } from '../charges/boleto-limits.ts';
import { linkPayer } from '../customers/link-customer.ts';
import type { CustomerOwner } from '../customers/record-customer.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import type { PaymentMethod } from '../domain/charge.ts';
import {
  type CustomerLink,
  merchantsCustomer,
  merchantsEmail,
  type Payer,
  type PayerAddress,
} from '../domain/payer.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import { parseTaxId } from '../domain/tax-id.ts';
import type { BoletoTerms } from '../providers/ports/boletos.ts';
import type { CardTerms } from '../providers/ports/cards.ts';
import type { PixTerms } from '../providers/ports/pix.ts';
import { PaymentRefusal, type PaymentRefusalReason } from './payment-refusal.ts';

/** The payer's own input: the tax id with or without punctuation, and null for empty fields. */
export type TypedPayer = Payer & { readonly address?: PayerAddress | null };

/**
 * What the provider of a method needs of the payer: `identity` is name and tax id, which every boleto needs and some
 * providers' PIX and cards; the others are needed beside them.
 */
export type PayerNeeds = readonly (BoletoTerms['payerNeeds'][number] | 'identity')[];

interface MethodTerms {
  readonly pix?: PixTerms | undefined;
  readonly boletos?: BoletoTerms | undefined;
  readonly cards?: CardTerms | undefined;
}

/** What a store's provider needs of the payer of this method, and what a payer says who authorizes debits. */
export function payerNeedsOf(
  terms: MethodTerms,
  method: PaymentMethod,
  { mandateAmount }: Pick<Checkout, 'mandateAmount'>,
): PayerNeeds {
  const isMandated = METHOD_TRAITS[method].takesMandates && mandateAmount !== null;
  return isMandated ? ['identity'] : NEEDS[method](terms);
}

const NEEDS: Readonly<Record<PaymentMethod, (terms: MethodTerms) => PayerNeeds>> = {
  PIX: ({ pix }) => (pix?.namesPayer === true ? ['identity'] : []),
  BOLETO: ({ boletos }) => boletos?.payerNeeds ?? [],
  CARD: ({ cards }) => (cards?.namesPayer === true ? ['identity'] : []),
};

/** Whether a payment by this method names its payer. */
export function namesPayer(method: PaymentMethod, needs: PayerNeeds): boolean {
  return METHOD_TRAITS[method].namesPayer || needs.includes('identity');
}

/** A charge's payer, and the merchant's customer that they are. */
export interface KnownPayer {
  readonly payer: Payer;
  /** Only for the provider of a boleto. It is not stored. */
  readonly address: PayerAddress | null;
  /** Null if only the input identifies the payer; the customer is then found or created when the charge is stored. */
  readonly customer: CustomerLink | null;
}

/**
 * The recorded customer that the merchant named for this checkout; else the typed data only, without any record.
 * Anyone can pay a payment link: a customer named for it only pre-fills its page.
 *
 * @throws PaymentRefusal PAYER_TAX_ID_INVALID, and for a boleto, or a PIX whose provider names its payer,
 *   PAYER_NAME_REQUIRED, PAYER_TAX_ID_REQUIRED, or what else the provider needs.
 */
export async function knownPayer(
  em: Em,
  checkout: Checkout,
  method: PaymentMethod,
  typed: TypedPayer,
  needs: PayerNeeds,
): Promise<KnownPayer> {
  const own = await namedCustomer(em, checkout);
  const address = typed.address ?? null;
  // Such a charge names its payer, so the typed data replaces a customer without name or tax id.
  if (own && isComplete(own, method, needs)) {
    const { id, name, taxId, email, cellphone } = own;
    return { payer: { name, taxId, email, cellphone }, address, customer: merchantsCustomer(id) };
  }
  const [refusal] = payerRefusalsOf(method, typed, needs);
  if (refusal !== undefined) throw new PaymentRefusal(refusal);
  const taxId = typed.taxId === null ? null : parseTaxId(typed.taxId);
  const { name, email, cellphone } = typed;
  return { payer: { name, email, cellphone, taxId: taxId?.bare ?? null }, address, customer: null };
}

/** Whether the record of a customer says everything about the payer that a payment needs, except for an address. */
export function isComplete(
  { name, taxId, email }: Pick<Payer, 'name' | 'taxId' | 'email'>,
  method: PaymentMethod,
  needs: PayerNeeds,
): boolean {
  if (!namesPayer(method, needs)) return true;
  return Boolean(name && taxId && (email || !needs.includes('email')));
}

/** Everything that is wrong with the payer's input; empty if a payment by this method can name them. */
export function payerRefusalsOf(
  method: PaymentMethod,
  typed: TypedPayer,
  needs: PayerNeeds,
): readonly PaymentRefusalReason[] {
  const isNamed = namesPayer(method, needs);
  const payerNeeds = needs.filter((need) => need !== 'identity');
  const refusals: PaymentRefusalReason[] = [];
  if (isNamed && typed.name === null) refusals.push('PAYER_NAME_REQUIRED');
  if (isNamed && typed.taxId === null) refusals.push('PAYER_TAX_ID_REQUIRED');
  if (typed.taxId !== null && parseTaxId(typed.taxId) === null) refusals.push('PAYER_TAX_ID_INVALID');
  if (isNamed) refusals.push(...payerRefusals({ payerNeeds }, typed).map(({ limit }) => limit));
  return refusals;
}

/** The customer of a known payer, found or created in the caller's transaction; null if there is none. */
export async function customerOf(
  em: Em,
  { payer, customer }: KnownPayer,
  owner: CustomerOwner,
  now: Date,
): Promise<CustomerLink> {
  return customer ?? linkPayer(em, owner, payer, now);
}

/** Only while the customer's data is not erased. Without an address that a payer typed: the charge would carry it as its payer's. */
async function namedCustomer(em: Em, { customerId, frequency }: Checkout) {
  if (customerId === null || frequency === 'MULTIPLE_PAYMENTS') return null;
  const customer = await em.findOne(CustomerEntity, { id: customerId, deletedAt: null });
  return customer && { ...customer, email: merchantsEmail(customer) };
}
