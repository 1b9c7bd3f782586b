import { type CheckoutsCreateRequest, startCheckout } from '@recebe/sdk';
import type { NextRequest } from 'next/server.js';
import { clientOf, type RecebeSource } from './client.ts';
import { isPrefetch, nothing, redirectTo, refusal } from './redirect.ts';

/** What a checkout route sells. */
export interface CheckoutOptions extends RecebeSource {
  /**
   * What may be bought: the id or `externalId` of a product, by the name that `?product=` has. With one product, the
   * name may be left out. A product with a cycle starts a subscription.
   */
  readonly products: Readonly<Record<string, string>>;
  /** Where the payer goes after paying: an address, or a path of your site. */
  readonly successUrl?: string | undefined;
  /** The page's way back: an address, or a path of your site. */
  readonly returnUrl?: string | undefined;
  /** Payment methods in the order of the page. Default: those of the API. */
  readonly methods?: CheckoutsCreateRequest['methods'];
  /**
   * The customer who is signed in, whose data the page shows. It is never read from the address: anyone could name
   * another one there.
   */
  readonly getCustomerId?: (request: NextRequest) => Promise<string | null> | string | null;
  /** `metadata` of the checkout, such as the id of your user. */
  readonly getMetadata?: (request: NextRequest) => Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** The most that a checkout takes of one product. */
const MAX_QUANTITY = 1_000_000;

/**
 * Makes a route that creates a checkout and sends the payer there. Export it as `GET` for a link
 * (`/checkout?product=pro&quantity=2`) or as `POST` for a form.
 */
export function Checkout(options: CheckoutOptions): (request: NextRequest) => Promise<Response> {
  const client = clientOf(options);
  return async (request) => {
    if (isPrefetch(request)) return nothing();
    const { searchParams } = new URL(request.url);
    const product = productIn(options.products, searchParams.get('product'));
    const quantity = Number(searchParams.get('quantity') ?? 1);
    if (product === null)
      return refusal(400, `product: must be one of ${Object.keys(options.products).join(', ')}`);
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > MAX_QUANTITY)
      return refusal(400, `quantity: must be a whole number from 1 to ${MAX_QUANTITY}`);
    const [customerId, metadata] = await Promise.all([
      options.getCustomerId?.(request),
      options.getMetadata?.(request),
    ]);
    const { url } = await startCheckout(client(), {
      product,
      quantity,
      ...(customerId && { customerId }),
      ...(metadata && { metadata }),
      ...(options.successUrl && { completionUrl: absolute(options.successUrl, request) }),
      ...(options.returnUrl && { returnUrl: absolute(options.returnUrl, request) }),
      ...(options.methods && { methods: options.methods }),
    });
    return redirectTo(url);
  };
}

function productIn(products: CheckoutOptions['products'], name: string | null): string | null {
  const [only, ...others] = Object.values(products);
  if (name === null) return only !== undefined && others.length === 0 ? only : null;
  return Object.hasOwn(products, name) ? (products[name] ?? null) : null;
}

function absolute(address: string, request: NextRequest): string {
  return new URL(address, request.url).href;
}
