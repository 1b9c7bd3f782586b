import type Stripe from 'stripe';
import type { StripeClient } from './stripe-client.ts';
import { StripeCallError } from './stripe-error.ts';

type Probe = (sdk: Stripe) => Promise<object>;

/** No object has this id. */
const NOTHING = 'recebepermissionprobe';

/**
 * By the names of Stripe's page for restricted keys. Writes to objects that do not exist have no effect. Stripe answers 403 if the key may not use the endpoint, and 404 after it has
 * looked for the object. At Stripe, writing includes reading.
 */
const WRITES: Readonly<Record<string, Probe>> = {
  PaymentIntents: (sdk) => sdk.paymentIntents.cancel(`pi_${NOTHING}`),
  SetupIntents: (sdk) => sdk.setupIntents.cancel(`seti_${NOTHING}`),
  PaymentMethods: (sdk) => sdk.paymentMethods.detach(`pm_${NOTHING}`),
  Customers: (sdk) => sdk.customers.update(`cus_${NOTHING}`, { description: '' }),
  Disputes: (sdk) => sdk.disputes.update(`du_${NOTHING}`, { metadata: {} }),
  'Charges and Refunds': (sdk) => sdk.refunds.update(`re_${NOTHING}`, { metadata: {} }),
  'Webhook Endpoints': (sdk) => sdk.webhookEndpoints.update(`we_${NOTHING}`, { disabled: false }),
};

const READS: Readonly<Record<string, Probe>> = {
  Balance: (sdk) => sdk.balanceTransactions.list({ limit: 1 }),
  Payouts: (sdk) => sdk.payouts.list({ limit: 1 }),
};

/** The permissions that a restricted key lacks, each with what it needs: `PaymentMethods (write)`. */
export async function missingPermissions(client: StripeClient): Promise<readonly string[]> {
  const lacking = (probes: Readonly<Record<string, Probe>>, access: 'read' | 'write') =>
    Object.entries(probes).map(async ([name, probe]) =>
      (await isAllowed(client, probe)) ? null : `${name} (${access})`,
    );
  const missing = await Promise.all([...lacking(WRITES, 'write'), ...lacking(READS, 'read')]);
  return missing.filter((name) => name !== null);
}

async function isAllowed(client: StripeClient, probe: Probe): Promise<boolean> {
  try {
    await client.call('trying a permission', probe);
    return true;
  } catch (error) {
    if (!(error instanceof StripeCallError)) throw error;
    if (error.status === 403) return false;
    if (error.status === 404 || error.status === 400) return true;
    throw error;
  }
}
