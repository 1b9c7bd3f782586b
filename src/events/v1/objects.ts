import { z } from 'zod';
import {
  CHARGE_STATUSES,
  type CheckoutMethod,
  chargeMethodsOf,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '../../domain/charge.ts';
import { CHECKOUT_FREQUENCIES, CHECKOUT_STATUSES } from '../../domain/checkout.ts';
import { amountCents, timestamp } from '../../wire/fields.ts';

/**
 * Objects in v1 events, derived from recorded v2 data. The event itself says whether it is simulated. Fields
 * that earlier releases did not record may be missing.
 */

export const customer = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    metadata: z.strictObject({
      name: z.string(),
      email: z.string(),
      taxId: z.string().meta({ description: 'CPF or CNPJ, masked.' }),
    }),
  })
  .meta({ id: 'V1EventCustomer' })
  .nullable();
type V1Customer = z.output<typeof customer>;

export interface PublishedCustomer {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly taxId: string | null;
}

export function v1Customer(published: PublishedCustomer | null | undefined, devMode: boolean): V1Customer {
  if (!published) return null;
  const { id, name, email, taxId } = published;
  return { id, devMode, metadata: { name: name ?? '', email: email ?? '', taxId: taxId ?? '' } };
}

export const billing = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    externalId: z.string().nullable(),
    url: z.string(),
    status: z.enum(CHECKOUT_STATUSES),
    frequency: z.enum(CHECKOUT_FREQUENCIES),
    amount: amountCents,
    paidAmount: z.int().nullable(),
    methods: z.array(z.enum(PAYMENT_METHODS)),
    products: z.array(z.strictObject({ id: z.string(), quantity: z.int() })),
    customer,
    receiptUrl: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'V1EventBilling' });
type Billing = z.output<typeof billing>;

/** A checkout or payment link, limited to the fields that v1 uses. */
export interface PublishedCheckout
  extends Omit<Billing, 'methods' | 'devMode' | 'products' | 'customer' | 'paidAmount' | 'receiptUrl'> {
  readonly items: Billing['products'];
  /** Of the plan of a subscription's checkout; absent for others, and in events of earlier releases. */
  readonly addOns?: Billing['products'] | undefined;
  readonly methods: readonly CheckoutMethod[];
  readonly paidAmount?: number | null;
  readonly receiptUrl?: string | null;
}

export function v1Billing(
  checkout: PublishedCheckout | undefined,
  of: V1Customer,
  devMode: boolean,
): Billing | null {
  if (checkout === undefined) return null;
  return {
    id: checkout.id,
    devMode,
    externalId: checkout.externalId,
    url: checkout.url,
    status: checkout.status,
    frequency: checkout.frequency,
    amount: checkout.amount,
    paidAmount: checkout.paidAmount ?? null,
    methods: chargeMethodsOf(checkout.methods),
    products: [...checkout.items, ...(checkout.addOns ?? [])].map(({ id, quantity }) => ({ id, quantity })),
    customer: of,
    receiptUrl: checkout.receiptUrl ?? null,
    metadata: checkout.metadata,
    createdAt: checkout.createdAt,
    updatedAt: checkout.updatedAt,
  };
}

export const pixQrCode = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    externalId: z.string().nullable(),
    kind: z.enum(['PIX', 'BOLETO', 'CARD']).meta({ description: 'May be a boleto or a card charge of v2.' }),
    amount: amountCents,
    paidAmount: z.int().nullable(),
    platformFee: z.int(),
    status: z.enum(CHARGE_STATUSES),
    customer,
    receiptUrl: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'V1EventPixQrCode' });
type PixQrCode = z.output<typeof pixQrCode>;

/** A charge without a checkout, limited to the fields that v1 uses. */
export interface PublishedTransparent extends Omit<PixQrCode, 'devMode' | 'kind' | 'customer'> {
  readonly methods: readonly PixQrCode['kind'][];
}

export function v1PixQrCode(
  charge: PublishedTransparent | undefined,
  of: V1Customer,
  devMode: boolean,
): PixQrCode | null {
  if (charge === undefined) return null;
  return {
    id: charge.id,
    devMode,
    externalId: charge.externalId,
    kind: charge.methods[0] ?? 'PIX',
    amount: charge.amount,
    paidAmount: charge.paidAmount,
    platformFee: charge.platformFee,
    status: charge.status,
    customer: of,
    receiptUrl: charge.receiptUrl,
    createdAt: charge.createdAt,
    updatedAt: charge.updatedAt,
  };
}

export const payment = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    amount: z.int().meta({ description: 'Cents paid, or to be paid.' }),
    fee: z.int().meta({ description: 'Cents.' }),
    method: z.enum(PAYMENT_METHODS).nullable().meta({ description: 'Null if nothing had to be paid.' }),
  })
  .meta({ id: 'V1EventPayment' })
  .nullable()
  .meta({ description: 'Null if no payment was started.' });

/** A charge, limited to the payment fields that v1 uses. */
export interface PublishedCharge {
  readonly id: string;
  readonly amount: number;
  readonly paidAmount: number | null;
  readonly platformFee: number;
  /** Empty if nothing had to be paid. */
  readonly methods: readonly PaymentMethod[];
}

export function v1Payment(
  charge: PublishedCharge | null | undefined,
  devMode: boolean,
): z.output<typeof payment> {
  if (!charge) return null;
  const { id, amount, paidAmount, platformFee, methods } = charge;
  return { id, devMode, amount: paidAmount ?? amount, fee: platformFee, method: methods[0] ?? null };
}
