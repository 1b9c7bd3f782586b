import type { Checkout } from '../../database/checkout.ts';
import type { ShownCheckout } from './schema.ts';

/** A checkout or payment link as integrators see it (spec, "Checkout"; contract section 5). */
export function presentCheckout(checkout: Checkout, publicUrl: string): ShownCheckout {
  const { paidByChargeId, methods, maxInstallments } = checkout;
  return {
    id: checkout.id,
    externalId: checkout.externalId,
    url: `${publicUrl}/pay/${checkout.id}`,
    amount: checkout.amountCents,
    paidAmount: checkout.paidAmountCents,
    items: checkout.items.map(({ productId, quantity }) => ({ id: productId, quantity })),
    status: checkout.status,
    frequency: checkout.frequency,
    methods,
    coupons: checkout.coupons,
    devMode: checkout.devMode,
    customerId: checkout.customerId,
    returnUrl: checkout.returnUrl,
    completionUrl: checkout.completionUrl,
    receiptUrl: paidByChargeId && `${publicUrl}/receipt/${paidByChargeId}`,
    card: methods.includes('CARD') ? { maxInstallments } : null,
    installmentsCount: checkout.installmentsCount,
    upSellProductId: checkout.upSellProductId,
    ...(checkout.frequency === 'SUBSCRIPTION' && { subscriptionId: checkout.subscriptionId }),
    metadata: checkout.metadata,
    expiresAt: checkout.expiresAt?.toISOString() ?? null,
    createdAt: checkout.createdAt.toISOString(),
    updatedAt: checkout.updatedAt.toISOString(),
  };
}
