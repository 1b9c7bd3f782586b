import type { NextRequest } from 'next/server.js';
import { clientOf, type RecebeSource } from './client.ts';
import { isPrefetch, nothing, redirectTo, refusal } from './redirect.ts';

/** Whose portal a route opens. */
export interface CustomerPortalOptions extends RecebeSource {
  /** The customer who is signed in; null if nobody is. Never read it from the address or a form. */
  readonly getCustomerId: (request: NextRequest) => Promise<string | null> | string | null;
}

/**
 * Makes a route that sends a customer to the portal, where they see their payments and subscriptions. The portal asks for
 * a code that it mails to the customer. Export it as `GET` or `POST`.
 */
export function CustomerPortal(options: CustomerPortalOptions): (request: NextRequest) => Promise<Response> {
  const client = clientOf(options);
  return async (request) => {
    if (isPrefetch(request)) return nothing();
    const customerId = await options.getCustomerId(request);
    if (!customerId) return refusal(401, 'Sign in first.');
    const { url } = await client().customerPortal.create({ customerId });
    return redirectTo(url);
  };
}
