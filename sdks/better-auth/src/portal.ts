import { createAuthEndpoint, sessionMiddleware } from 'better-auth/api';
import type { Feature, FeatureContext } from './feature.ts';

/**
 * `authClient.customer.portal()`: sends a signed-in user to the customer portal, which asks for a code that it mails to the
 * customer's address.
 */
export function portal() {
  return (({ client, customers }: FeatureContext) => ({
    recebePortal: createAuthEndpoint(
      '/customer/portal',
      { method: 'POST', use: [sessionMiddleware] },
      async (ctx) => {
        const customerId = await customers.idOf(ctx.context.session.user, ctx.context);
        const { url } = await client.customerPortal.create({ customerId });
        return ctx.json({ url, redirect: true });
      },
    ),
  })) satisfies Feature;
}
