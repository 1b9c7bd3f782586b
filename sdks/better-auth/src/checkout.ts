import { type CheckoutsCreateRequest, startCheckout } from '@recebe/sdk';
import { APIError, createAuthEndpoint, getSessionFromCtx } from 'better-auth/api';
import type { RecebeUser } from './customers.ts';
import type { Feature, FeatureContext } from './feature.ts';
import { type CheckoutInput, checkoutInput } from './input.ts';

/** What the checkout sells. */
export interface CheckoutOptions {
  /**
   * What may be bought: the id or `externalId` of a product, by the slug that the browser sends. A product with a cycle
   * starts a subscription.
   */
  readonly products: Readonly<Record<string, string>>;
  /** Where the payer goes after paying: an address, or a path of your site. */
  readonly successUrl?: string;
  /** The page's way back: an address, or a path of your site. */
  readonly returnUrl?: string;
  /** Payment methods in the order of the page. Default: those of the API. */
  readonly methods?: CheckoutsCreateRequest['methods'];
  /** Also sells to people who are not signed in. Their checkouts have no customer. Default: false. */
  readonly allowsAnonymous?: boolean;
  /** `metadata` of the checkout. It comes from your program, never from the browser. */
  readonly getMetadata?: (order: {
    readonly user: RecebeUser | null;
    readonly slug: string;
    readonly request: Request | undefined;
  }) => Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** `authClient.checkout({ slug: 'pro' })`: creates a checkout, and sends the browser to it. */
export function checkout(options: CheckoutOptions) {
  return (({ client, customers }: FeatureContext) => ({
    recebeCheckout: createAuthEndpoint(
      '/checkout',
      { method: 'POST', body: checkoutInput(Object.keys(options.products)) },
      async (ctx) => {
        const { slug, quantity } = ctx.body as CheckoutInput;
        const session = await getSessionFromCtx(ctx);
        const user = session?.user ?? null;
        if (user === null && options.allowsAnonymous !== true)
          throw new APIError('UNAUTHORIZED', { message: 'Sign in first.' });
        const [customerId, metadata] = await Promise.all([
          user && customers.idOf(user, ctx.context),
          options.getMetadata?.({ user, slug, request: ctx.request }),
        ]);
        const absolute = (address: string) => new URL(address, ctx.context.baseURL).href;
        const { url } = await startCheckout(client, {
          product: options.products[slug] ?? slug,
          quantity,
          ...(customerId && { customerId }),
          ...(metadata && { metadata }),
          ...(options.successUrl && { completionUrl: absolute(options.successUrl) }),
          ...(options.returnUrl && { returnUrl: absolute(options.returnUrl) }),
          ...(options.methods && { methods: options.methods }),
        });
        // The client of Better Auth follows it.
        return ctx.json({ url, redirect: true });
      },
    ),
  })) satisfies Feature;
}
