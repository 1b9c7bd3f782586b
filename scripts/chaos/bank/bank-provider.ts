import { Chance } from '../../../test/support/chance.ts';
import type { BankState } from '../../psp/state.ts';
import { compareBank, expectedOfBank } from '../differences/bank.ts';
import { type Fault, insideTarget, processTarget, proxyTarget, type Target } from '../inject-faults.ts';
import type { ChaosProvider, ChaosProviderOptions } from '../real-money/chaos-provider.ts';
import type { MoneyRows } from '../real-money/money-rows.ts';
import { BANK_FAULTS, clearBank, orderFault } from './bank-faults.ts';
import { openBankShop } from './bank-shop.ts';
import { bankFaultPlan } from './fault-plan.ts';
import { payoutsInDoubt } from './payouts-in-doubt.ts';
import { BANK_SCENARIOS } from './scenarios.ts';
import { BankSettling } from './settle-bank.ts';
import { type ChaosBank, joinBank, startBank } from './start-bank.ts';
import { isAskedFor, takenBack } from './taken-back.ts';

const CLEARING_STREAM = 2_000;

/** The bank in a box: PIX by API Pix, and transfers. */
export async function startBankProvider(options: ChaosProviderOptions): Promise<ChaosProvider> {
  const { cluster, endpoints, tally, givesUp, seed, folder } = options;
  await using cleanup = new AsyncDisposableStack();
  const bank = cleanup.use(await startBank(folder, cluster.apiUrls[0] ?? '', bankFaultPlan(seed)));
  const shop = await openBankShop(cluster, endpoints, bank.door, tally, givesUp);
  await joinBank(cluster, bank, shop.storeId, folder);
  const ends = cleanup.move();
  const scenarios = Object.entries(BANK_SCENARIOS).map(([name, { weight, scenario }]) => {
    return [name, { weight, scenario: (chance: Chance) => scenario(shop, chance) }] as const;
  });
  return {
    name: 'bank',
    shop,
    scenarios: Object.fromEntries(scenarios),
    faultTargets: targetsOf(bank),
    get endedByItself() {
      return bank.process.endedByItself;
    },
    async clear() {
      const happened = await bank.door.faultsHappened();
      await clearBank(bank.door, new Chance(seed, CLEARING_STREAM));
      return new Map(Object.entries(happened));
    },
    settling: (database, temporal) => {
      const settling = new BankSettling(database, temporal, bank.door);
      return {
        open: (isServing) => settling.open(isServing),
        staysOpen: async () => payoutsInDoubt(database, await bank.door.state()),
      };
    },
    async compare(_, rows) {
      const state = await bank.door.state();
      return {
        differences: compareBank(state, rows, shop),
        expectedEvents: expectedOfBank(rows),
        counts: countsOf(state, rows),
      };
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** Faults of the bank's process, of both connections between it and the service, and of the bank itself. */
function targetsOf({ process, toBank, toService, door }: ChaosBank): Target[] {
  const misbehaves = Object.entries(BANK_FAULTS).map(([name, ordered]) => {
    const fault: Fault = (chance) => orderFault(door, ordered, chance);
    return [`bank: ${name}`, { weight: ordered.weight, fault }] as const;
  });
  return [
    processTarget(process),
    proxyTarget('service to bank', toBank),
    proxyTarget('bank to service', toService),
    insideTarget(Object.fromEntries(misbehaves)),
  ];
}

function countsOf({ charges, payments, transfers }: BankState, rows: MoneyRows) {
  const refunds = Object.values(payments).flatMap((payment) => payment.refunds);
  const known = new Set(rows.charges.map(({ reference }) => reference));
  return new Map([
    ['charges', Object.keys(charges).length],
    ['charges that nobody stored, taken back', Object.keys(charges).filter((id) => !known.has(id)).length],
    ['payments', Object.keys(payments).length],
    ['refunds and returns', refunds.filter(isAskedFor).length],
    ["payments taken back by the payer's bank", takenBack({ payments }).length],
    ['refunds that failed', refunds.filter(({ status }) => status === 'NAO_REALIZADO').length],
    ['transfers', Object.keys(transfers).length],
    ['transfers that came back', Object.values(transfers).filter(({ returns }) => returns).length],
  ]);
}
