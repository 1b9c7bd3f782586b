import { issueKey } from '../../src/cli/keys.ts';
import { createStore } from '../../src/cli/stores.ts';
import type { Database } from '../../src/database/orm.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../src/domain/billing-settings.ts';
import { ORIGINAL_EVENT_NAMES } from '../../src/domain/event-names.ts';
import { PERMISSIONS } from '../../src/domain/permission.ts';
import { saveBillingSettings } from '../../src/stores/billing-settings.ts';
import { Book } from './book.ts';
import type { Endpoints, Manner } from './endpoints.ts';
import { Integrator, type Tally } from './integrator.ts';
import { PLAN_CENTS, PRODUCT_CENTS, type Shop } from './scenarios/shop.ts';

/** The events that the money model knows. */
const OPT_IN_NAMES = [...ORIGINAL_EVENT_NAMES, 'transparent.won', 'checkout.won'];
/** The dead endpoint subscribes to few events, because its undelivered webhooks only accumulate. */
const FOR_THE_DEAD = ['transparent.refunded', 'payout.completed'] as const;

/** Creates a store with products and one endpoint of each kind. @param givesUp aborts when its program stops. */
export async function openShop(
  database: Database,
  apiUrls: readonly string[],
  endpoints: Endpoints,
  tally: Tally,
  givesUp: AbortSignal,
  manners: readonly Manner[] = ['steady', 'slow', 'erratic', 'dead'],
): Promise<{ readonly shop: Shop; readonly keyText: string }> {
  const em = database.em.fork();
  const now = new Date();
  const { id: storeId } = await createStore(em, { name: 'Loja do Temporal', city: 'SANTOS' }, now);
  // Subscriptions that began weeks ago are renewed for each of those weeks at once.
  const billing = { ...DEFAULT_BILLING_SETTINGS, missedCycles: 'CHARGE' } as const;
  await saveBillingSettings(em, { storeId, devMode: true }, billing, now);
  const key = { storeId, devMode: true, description: 'chaos', permissions: PERMISSIONS };
  const { keyText } = await issueKey(em, key, now);
  const integrator = new Integrator(apiUrls, keyText, tally, givesUp);
  const made = async (path: string, body: object) => {
    const { data, code } = await integrator.post<{ id: string }>(path, body);
    if (data === null) throw new Error(`${path} → ${code}`);
    return data.id;
  };
  for (const manner of manners) {
    const { url: endpoint, secret } = endpoints.add(manner, storeId);
    const events = manner === 'dead' ? FOR_THE_DEAD : OPT_IN_NAMES;
    await made('webhooks/create', { name: manner, endpoint, secret, events });
  }
  const product = { name: 'Camiseta', price: PRODUCT_CENTS, currency: 'BRL', externalId: 'shirt' };
  const plan = { name: 'Clube', price: PLAN_CENTS, currency: 'BRL', externalId: 'club', cycle: 'WEEKLY' };
  const shop = {
    storeId,
    integrator,
    book: new Book(),
    productId: await made('products/create', product),
    planId: await made('products/create', plan),
  };
  return { shop, keyText };
}
