import { ApiError } from './errors.ts';
import type { Checkout, CheckoutsCreateRequest } from './generated/resources.ts';
import type { RequestOptions } from './http-client.ts';
import type { Recebe } from './recebe.ts';

/** What a payer buys: one product, and what both kinds of checkout have. */
export interface ProductOrder
  extends Pick<
    CheckoutsCreateRequest,
    'externalId' | 'customerId' | 'metadata' | 'completionUrl' | 'returnUrl' | 'coupons' | 'methods'
  > {
  /** The id of a product, or its `externalId`. */
  readonly product: string;
  /** Default: 1. */
  readonly quantity?: number;
}

/** The methods that can pay a subscription. */
const OF_SUBSCRIPTIONS = ['CARD', 'PIX'] as const;

/**
 * Creates the checkout of a product: of a subscription if the product has a cycle. Send the payer to its `url`.
 * @throws ApiError, ConnectionError
 */
export async function startCheckout(
  recebe: Recebe,
  { product, quantity = 1, methods, ...order }: ProductOrder,
  options?: Omit<RequestOptions, 'idempotencyKey'>,
): Promise<Checkout> {
  const items = [{ id: product, quantity }];
  try {
    return await recebe.checkouts.create({ ...order, items, ...(methods && { methods }) }, options);
  } catch (error) {
    // The service knows the product. It has stored nothing.
    if (!(error instanceof ApiError && error.rule === 'PRODUCT_HAS_CYCLE')) throw error;
    const possible = OF_SUBSCRIPTIONS.filter((method) => methods?.includes(method));
    const chosen = possible.length > 0 ? { methods: possible } : {};
    return await recebe.subscriptions.create({ ...order, items, ...chosen }, options);
  }
}
