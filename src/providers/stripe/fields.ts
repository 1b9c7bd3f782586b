import type { CardFields } from '../ports/cards.ts';
import type { StripeAccount } from './account.ts';

/** Stripe's own fields, in its iframes (docs.stripe.com/security/guide, "Content security policy"). */
export function stripeFields({ apiUrl, mode, publishableKey }: StripeAccount): CardFields {
  const isStandIn = mode === 'test' && apiUrl.hostname !== 'api.stripe.com';
  const ours = 'stripe-fields.js';
  if (isStandIn) {
    const origins = [apiUrl.origin];
    return {
      script: `${apiUrl.origin}/js.stripe.com/v3/`,
      ours,
      publishableKey,
      scriptOrigins: origins,
      frameOrigins: origins,
      connectOrigins: origins,
    };
  }
  return {
    script: 'https://js.stripe.com/v3/',
    ours,
    publishableKey,
    scriptOrigins: ['https://js.stripe.com', 'https://*.js.stripe.com'],
    frameOrigins: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    connectOrigins: ['https://api.stripe.com'],
  };
}
