import type { Checkout } from '../../../database/entities/checkout.ts';
import { chargeMethodsOf } from '../../../domain/charge.ts';
import { type PlatformFees, platformFeeCentsOf } from '../../../domain/platform-fee.ts';
import { presentV1Customer } from '../customer.ts';
import type { LoadedBilling } from './load-billings.ts';
import { type BillingView, isV1Method } from './schema.ts';

/** What a billing is presented with. */
export interface Presentation {
  readonly publicUrl: string;
  readonly platformFee: PlatformFees;
}

/** A checkout or payment link in the v1 format. */
export function presentBilling(
  { checkout, customer, externalIds, payment }: LoadedBilling,
  { publicUrl, platformFee }: Presentation,
): BillingView {
  return {
    id: checkout.id,
    externalId: checkout.externalId,
    url: `${publicUrl}/pay/${checkout.id}`,
    status: checkout.status,
    devMode: checkout.devMode,
    methods: chargeMethodsOf(checkout.methods).filter(isV1Method),
    products: checkout.items.map(({ productId, quantity }) => ({
      id: productId,
      externalId: externalIds.get(productId) ?? '',
      quantity,
    })),
    frequency: checkout.frequency === 'MULTIPLE_PAYMENTS' ? 'MULTIPLE_PAYMENTS' : 'ONE_TIME',
    amount: checkout.amountCents,
    nextBilling: null,
    customer: customer && presentV1Customer(customer),
    allowCoupons: checkout.allowCoupons,
    coupons: checkout.coupons,
    couponsUsed: [...(payment?.codes ?? [])],
    metadata: {
      ...checkout.metadata,
      fee: payment?.feeCents ?? expectedFeeCents(checkout, platformFee),
      returnUrl: checkout.returnUrl ?? '',
      completionUrl: checkout.completionUrl ?? '',
    },
    createdAt: checkout.createdAt.toISOString(),
    updatedAt: checkout.updatedAt.toISOString(),
  };
}

/** By the first method. */
function expectedFeeCents({ methods, amountCents }: Checkout, fees: PlatformFees): number {
  return platformFeeCentsOf(fees, chargeMethodsOf(methods)[0] ?? 'PIX', amountCents);
}
