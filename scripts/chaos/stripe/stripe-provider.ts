import { DEFAULT_BILLING_SETTINGS } from '../../../src/domain/billing-settings.ts';
import { saveBillingSettings } from '../../../src/stores/billing-settings.ts';
import type { Chance } from '../../../test/support/chance.ts';
import { compareBooks, expectedOfBooks } from '../differences/provider-books.ts';
import { type Fault, insideTarget, processTarget, proxyTarget, type Target } from '../inject-faults.ts';
import type { ChaosProvider, ChaosProviderOptions } from '../real-money/chaos-provider.ts';
import { comparePorts } from '../real-money/compare-ports.ts';
import { Payer } from '../real-money/payer.ts';
import { openRealShop } from '../real-money/real-shop.ts';
import { PLAN_CENTS, PRODUCT_CENTS, STRIPE_SCENARIOS } from './scenarios.ts';
import { StripeSettling } from './settle-stripe.ts';
import { type ChaosStripe, joinStripe, startStripe } from './start-stripe.ts';
import { booksOfStripe } from './stripe-books.ts';
import type { StripeState } from './stripe-door.ts';
import { orderStripeFault, STRIPE_FAULTS } from './stripe-faults.ts';

const NOTHING_IN_DOUBT: ReadonlySet<string> = new Set();

/** The Stripe box: cards with 3-D Secure, stored cards, chargebacks and boletos. */
export async function startStripeProvider(options: ChaosProviderOptions): Promise<ChaosProvider> {
  const { cluster, endpoints, tally, givesUp, folder } = options;
  await using cleanup = new AsyncDisposableStack();
  const stripe = cleanup.use(await startStripe(folder, cluster.apiUrls[0] ?? ''));
  const profile = { name: 'Loja da Stripe', taxId: '11222333000181' };
  const opened = await openRealShop(cluster, endpoints, tally, givesUp, profile);
  const { storeId, integrator } = opened;
  const account = await joinStripe(cluster, stripe, storeId);
  // Subscriptions that began weeks ago are renewed as often at once.
  const billing = { ...DEFAULT_BILLING_SETTINGS, missedCycles: 'CHARGE' } as const;
  await saveBillingSettings(cluster.database.em.fork(), { storeId, devMode: false }, billing, new Date());
  const sold = async (product: object) => {
    const { data, code } = await integrator.post<{ id: string }>('products/create', product);
    if (data === null) throw new Error(`products/create → ${code}`);
    return data.id;
  };
  const course = { name: 'Curso', price: PRODUCT_CENTS, currency: 'BRL', externalId: 'course' };
  const club = { name: 'Clube', price: PLAN_CENTS, currency: 'BRL', externalId: 'club', cycle: 'WEEKLY' };
  const shop = {
    ...opened,
    door: stripe.door,
    payer: new Payer(cluster.apiUrls, givesUp),
    productId: await sold(course),
    planId: await sold(club),
  };
  const ends = cleanup.move();
  const scenarios = Object.entries(STRIPE_SCENARIOS).map(([name, { weight, scenario }]) => {
    return [name, { weight, scenario: (chance: Chance) => scenario(shop, chance) }] as const;
  });
  return {
    name: 'Stripe',
    shop,
    scenarios: Object.fromEntries(scenarios),
    faultTargets: targetsOf(stripe),
    get endedByItself() {
      return stripe.box.endedByItself + stripe.localstripe.endedByItself;
    },
    async clear() {
      const happened = await stripe.door.faultsHappened();
      await stripe.door.clearFaults();
      return new Map(Object.entries(happened));
    },
    settling: (database, temporal) => new StripeSettling(database, temporal, stripe.door),
    async compare(database, rows) {
      const state = await stripe.door.state({ isNow: true });
      return {
        differences: [
          ...compareBooks(booksOfStripe(state), rows, shop, NOTHING_IN_DOUBT),
          ...(await comparePorts(database, account, cluster.secretsKey)),
        ],
        expectedEvents: expectedOfBooks(rows, NOTHING_IN_DOUBT),
        counts: countsOf(state),
      };
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** Both processes, both ways between the box and the service, and what the box does wrong by itself. */
function targetsOf({ box, localstripe, toStripe, toService, door }: ChaosStripe): Target[] {
  const misbehaves = Object.entries(STRIPE_FAULTS).map(([name, ordered]) => {
    const fault: Fault = (chance) => orderStripeFault(door, ordered, chance);
    return [`Stripe: ${name}`, { weight: ordered.weight, fault }] as const;
  });
  return [
    processTarget(box, { mayBeKilled: false }),
    processTarget(localstripe, { mayBeKilled: false }),
    proxyTarget('service to Stripe', toStripe),
    proxyTarget('Stripe to service', toService),
    insideTarget(Object.fromEntries(misbehaves)),
  ];
}

function countsOf({ intents, charges, refunds, disputes }: StripeState) {
  const paid = charges.filter(({ status }) => status === 'succeeded');
  const boletos = intents.filter(({ id }) => id.startsWith('pi_boleto_'));
  return new Map([
    ['payment intents', intents.length],
    ['boletos', boletos.length],
    ['payments', paid.length],
    ['refunds and returns', refunds.length],
    ['chargebacks', disputes.length],
  ]);
}
