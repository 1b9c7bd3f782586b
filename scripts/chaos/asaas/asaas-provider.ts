import type { Chance } from '../../../test/support/chance.ts';
import { compareBooks, expectedOfBooks } from '../differences/provider-books.ts';
import { type Fault, insideTarget, processTarget, proxyTarget, type Target } from '../inject-faults.ts';
import type { ChaosProvider, ChaosProviderOptions } from '../real-money/chaos-provider.ts';
import { comparePorts } from '../real-money/compare-ports.ts';
import { Payer } from '../real-money/payer.ts';
import { openRealShop } from '../real-money/real-shop.ts';
import { booksOfAsaas } from './asaas-books.ts';
import type { AsaasState } from './asaas-door.ts';
import { ASAAS_FAULTS, orderAsaasFault } from './asaas-faults.ts';
import { ASAAS_SCENARIOS, PRODUCT_CENTS } from './scenarios.ts';
import { AsaasSettling, inDoubtAtAsaas } from './settle-asaas.ts';
import { type ChaosAsaas, joinAsaas, startAsaas } from './start-asaas.ts';

/** The Asaas box: PIX, boletos, cards on its page, chargebacks and transfers. */
export async function startAsaasProvider(options: ChaosProviderOptions): Promise<ChaosProvider> {
  const { cluster, endpoints, tally, givesUp, seed, folder } = options;
  await using cleanup = new AsyncDisposableStack();
  const box = cleanup.use(await startAsaas(folder, cluster.apiUrls[0] ?? '', seed));
  // A production boleto names its beneficiary.
  const profile = { name: 'Loja do Asaas', taxId: '11222333000181' };
  const opened = await openRealShop(cluster, endpoints, tally, givesUp, profile);
  const account = await joinAsaas(cluster, box, opened.storeId);
  const product = { name: 'Curso', price: PRODUCT_CENTS, currency: 'BRL', externalId: 'course' };
  const { data } = await opened.integrator.post<{ id: string }>('products/create', product);
  const payer = new Payer(cluster.apiUrls, givesUp);
  const shop = { ...opened, door: box.door, payer, productId: data?.id ?? '' };
  const ends = cleanup.move();
  const scenarios = Object.entries(ASAAS_SCENARIOS).map(([name, { weight, scenario }]) => {
    return [name, { weight, scenario: (chance: Chance) => scenario(shop, chance) }] as const;
  });
  return {
    name: 'Asaas',
    shop,
    scenarios: Object.fromEntries(scenarios),
    faultTargets: targetsOf(box),
    get endedByItself() {
      return box.process.endedByItself;
    },
    async clear() {
      const happened = await box.door.faultsHappened();
      await box.door.clearFaults();
      return new Map(Object.entries(happened));
    },
    settling: (database, temporal) => new AsaasSettling(database, temporal, box.door),
    async compare(database, rows) {
      const state = await box.door.state();
      const inDoubt = await inDoubtAtAsaas(database, state);
      return {
        differences: [
          ...compareBooks(booksOfAsaas(state), rows, shop, inDoubt),
          ...(await comparePorts(database, account, cluster.secretsKey)),
        ],
        expectedEvents: expectedOfBooks(rows, inDoubt),
        counts: countsOf(state, inDoubt),
      };
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** Faults of the process, of both connections between it and the service, and of the box itself. */
function targetsOf({ process, toAsaas, toService, door }: ChaosAsaas): Target[] {
  const misbehaves = Object.entries(ASAAS_FAULTS).map(([name, ordered]) => {
    const fault: Fault = (chance) => orderAsaasFault(door, ordered, chance);
    return [`Asaas: ${name}`, { weight: ordered.weight, fault }] as const;
  });
  return [
    processTarget(process, { mayBeKilled: false }),
    proxyTarget('service to Asaas', toAsaas),
    proxyTarget('Asaas to service', toService),
    insideTarget(Object.fromEntries(misbehaves)),
  ];
}

function countsOf({ payments, transfers, stops }: AsaasState, inDoubt: ReadonlySet<string>) {
  const paid = payments.filter(({ clientPaymentDate }) => clientPaymentDate !== null);
  return new Map([
    ['payments issued', payments.length],
    ['payments paid', paid.length],
    ['paid by card', paid.filter(({ billingType }) => billingType === 'CREDIT_CARD').length],
    ['refunds and returns', payments.flatMap(({ refunds }) => refunds).length],
    ['chargebacks', payments.filter(({ chargeback }) => chargeback !== null).length],
    ['transfers', transfers.length],
    ['queues of webhooks stopped after 15 failures', stops],
    ['payouts and refunds that a person has to end', inDoubt.size],
  ]);
}
