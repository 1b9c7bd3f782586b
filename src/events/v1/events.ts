import type { V1EventName } from '../../domain/event.ts';

/** What v1 reads of the `data` that v2 tells. Dates are text, tax ids masked. */
interface StoredData {
  readonly checkout?: StoredCheckout;
  readonly transparent?: StoredCharge & { readonly externalId: string | null };
  readonly payment?: StoredCharge | null;
  readonly subscription?: object;
  readonly customer?: StoredCustomer | null;
  readonly withdraw?: object;
  /** Why it was refunded, was lost or failed. */
  readonly reason?: string | null;
}

interface StoredCheckout {
  readonly id: string;
  readonly externalId: string | null;
  readonly url: string;
  readonly amount: number;
  readonly paidAmount?: number | null;
  readonly status: string;
  readonly frequency: string;
  readonly methods: readonly string[];
  readonly items: readonly { readonly id: string; readonly quantity: number }[];
  readonly receiptUrl?: string | null;
  readonly metadata: object;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface StoredCharge {
  readonly id: string;
  readonly amount: number;
  readonly paidAmount: number | null;
  readonly platformFee: number;
  readonly status: string;
  readonly methods: readonly string[];
  readonly receiptUrl: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface StoredCustomer {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly taxId: string | null;
}

/**
 * The `data` that v1 endpoints are sent (contract section 7), as a pure function of what v2 endpoints are sent:
 *
 * - `billing.*`: `billing` (a v1 billing: what was sold through a checkout or link) or null; `pixQrCode` (a charge without a
 *   checkout; a boleto, which v1 does not know, has the kind `BOLETO`) or null; `payment: { id, devMode, amount, fee, method }`
 *   or null before there is one; `subscription` where a cycle was charged; `reason` where it was refunded, lost or failed.
 * - `subscription.*`: `subscription`, `customer`, `billing` and `payment` as above.
 * - `withdraw.*`: `transaction`, of the kind `WITHDRAW`.
 */
export function v1Data(name: V1EventName | null, data: StoredData, devMode: boolean): object {
  if (data.withdraw !== undefined) return { transaction: { ...data.withdraw, kind: 'WITHDRAW' } };
  const customer = v1Customer(data.customer, devMode);
  const billing = v1Billing(data.checkout, customer, devMode);
  const payment = v1Payment(name === 'billing.created' ? null : (data.payment ?? data.transparent), devMode);
  const { subscription, reason } = data;
  if (name === 'subscription.created' || name === 'subscription.canceled') {
    return { subscription, customer, billing, payment };
  }
  return {
    billing,
    pixQrCode: v1PixQrCode(data.transparent, customer, devMode),
    payment,
    ...(subscription !== undefined && { subscription }),
    ...(reason !== undefined && { reason }),
  };
}

/** A customer as v1 shows one. */
function v1Customer(customer: StoredCustomer | null | undefined, devMode: boolean) {
  if (!customer) return null;
  const { id, name, email, taxId } = customer;
  return { id, devMode, metadata: { name: name ?? '', email: email ?? '', taxId: taxId ?? '' } };
}

/** A checkout or payment link as v1 shows a billing, as far as the event tells it. */
function v1Billing(checkout: StoredCheckout | undefined, customer: object | null, devMode: boolean) {
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
    methods: checkout.methods,
    products: checkout.items.map(({ id, quantity }) => ({ id, quantity })),
    customer,
    receiptUrl: checkout.receiptUrl ?? null,
    metadata: checkout.metadata,
    createdAt: checkout.createdAt,
    updatedAt: checkout.updatedAt,
  };
}

function v1PixQrCode(charge: StoredData['transparent'], customer: object | null, devMode: boolean) {
  if (charge === undefined) return null;
  return {
    id: charge.id,
    devMode,
    externalId: charge.externalId,
    kind: charge.methods[0] ?? null,
    amount: charge.amount,
    paidAmount: charge.paidAmount,
    platformFee: charge.platformFee,
    status: charge.status,
    customer,
    receiptUrl: charge.receiptUrl,
    createdAt: charge.createdAt,
    updatedAt: charge.updatedAt,
  };
}

/** @returns null where no payment was begun. `method` is null where there was nothing to pay. */
function v1Payment(charge: StoredCharge | null | undefined, devMode: boolean) {
  if (!charge) return null;
  const { id, amount, paidAmount, platformFee, methods } = charge;
  return { id, devMode, amount: paidAmount ?? amount, fee: platformFee, method: methods[0] ?? null };
}
