import type Stripe from 'stripe';
import type { StripeClient } from './stripe-client.ts';
import { StripeCallError } from './stripe-error.ts';

/** By the names of Stripe's page for restricted keys. Writing cannot be tried without an effect. */
const READS: Readonly<Record<string, (sdk: Stripe) => Promise<object>>> = {
  PaymentIntents: (sdk) => sdk.paymentIntents.list({ limit: 1 }),
  'Charges and Refunds': (sdk) => sdk.refunds.list({ limit: 1 }),
  Customers: (sdk) => sdk.customers.list({ limit: 1 }),
  Disputes: (sdk) => sdk.disputes.list({ limit: 1 }),
  'Webhook Endpoints': (sdk) => sdk.webhookEndpoints.list({ limit: 1 }),
};

/** The permissions that a restricted key lacks, as far as reading shows them. */
export async function missingPermissions(client: StripeClient): Promise<readonly string[]> {
  const missing = await Promise.all(
    Object.entries(READS).map(async ([name, read]) => ((await isAllowed(client, read)) ? null : name)),
  );
  return missing.filter((name) => name !== null);
}

async function isAllowed(client: StripeClient, read: (sdk: Stripe) => Promise<object>): Promise<boolean> {
  try {
    await client.call('reading what the key may read', read);
    return true;
  } catch (error) {
    if (error instanceof StripeCallError && error.status === 403) return false;
    throw error;
  }
}
