import { issueKey } from '../../../src/cli/keys.ts';
import { createStore } from '../../../src/cli/stores.ts';
import { ORIGINAL_EVENT_NAMES } from '../../../src/domain/event-names.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import type { Cluster } from '../cluster.ts';
import type { Endpoints } from '../endpoints.ts';
import { Integrator, type Tally } from '../integrator.ts';

/** A charge of a client, and what the client knows about it. */
export interface KnownRealCharge {
  readonly id: string;
  readonly amountCents: number;
  /** The provider has confirmed the payment to its payer before anything else could end the charge. */
  isPaid: boolean;
}

/** A checkout of a client. */
export interface KnownRealCheckout {
  readonly id: string;
  /** The provider has confirmed a payment to its payer before anything else could end the checkout. */
  isPaid: boolean;
  /** How often its subscription is charged after the first payment; null for a checkout without one. */
  renewals: number | null;
}

/**
 * A store that takes real money at a provider in a box, and what its clients know. The state of the box decides what is true.
 */
export interface RealShop {
  readonly storeId: StoreId;
  readonly integrator: Integrator;
  readonly charges: KnownRealCharge[];
  readonly checkouts: KnownRealCheckout[];
  /** Refunds that were accepted. */
  readonly refundIds: Set<string>;
  readonly payouts: { readonly id: string; readonly amountCents: number }[];
  /** External ids of payouts that were refused after a try without an answer. They may still be carried out. */
  readonly refusedInDoubt: Set<string>;
  readonly contradictions: string[];
}

const OPT_IN_NAMES = [
  ...ORIGINAL_EVENT_NAMES,
  'refund.failed',
  'payment.returned',
  'payout.returned',
  'transfer.returned',
  'transparent.won',
  'checkout.won',
];
const MANNERS = ['steady', 'erratic'] as const;

/** Creates the store with one endpoint of each kind. It has no account yet. @param taxId is printed on boletos. */
export async function openRealShop(
  { database, apiUrls }: Cluster,
  endpoints: Endpoints,
  tally: Tally,
  givesUp: AbortSignal,
  { name, taxId }: { readonly name: string; readonly taxId?: string },
): Promise<RealShop> {
  const em = database.em.fork();
  const now = new Date();
  const { id } = await createStore(em, { name, city: 'SANTOS', ...(taxId !== undefined && { taxId }) }, now);
  const storeId = id as StoreId;
  const key = { storeId, devMode: false, description: 'chaos', permissions: PERMISSIONS };
  const { keyText } = await issueKey(em, key, now);
  const integrator = new Integrator(apiUrls, keyText, tally, givesUp);
  for (const manner of MANNERS) {
    const { url: endpoint, secret } = endpoints.add(manner, storeId);
    const webhook = { name: manner, endpoint, secret, events: OPT_IN_NAMES };
    const { data, code } = await integrator.post('webhooks/create', webhook);
    if (data === null) throw new Error(`webhooks/create → ${code}`);
  }
  const [refundIds, refusedInDoubt] = [new Set<string>(), new Set<string>()];
  const known = { charges: [], checkouts: [], refundIds, payouts: [], refusedInDoubt };
  return { storeId, integrator, ...known, contradictions: [] };
}
