import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { violationsOf } from '../../scripts/conformance/by-document.ts';
import { writeCorrectedDocument } from '../../scripts/conformance/document.ts';
import { startPrism } from '../../scripts/conformance/prism.ts';
import { type Relay, relayTo, startRelay } from '../../scripts/conformance/relay.ts';
import { type Instruction, statusOf } from '../../scripts/psp/mandates/state.ts';
import type { Psp, PspOptions } from '../../scripts/psp/start-psp.ts';
import { payCheckout } from '../../src/checkouts/pay-checkout.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { DebitEntity } from '../../src/database/entities/debit.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { addDays, type CivilDate, daysBetween, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ProductCycle } from '../../src/domain/cycle.ts';
import type { CheckoutId, StoreId, SubscriptionId } from '../../src/domain/ids.ts';
import type { PaymentProvider } from '../../src/providers/provider.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import type { ShownSubscription } from '../../src/wire/subscription/schema.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { TEST_CONFIG } from '../support/api/app.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { Chance } from '../support/chance.ts';
import { advance, clockOf } from '../support/fixtures/clock.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { ClockedBank } from '../support/outside/clocked-bank.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { eventually } from '../support/waiting/eventually.ts';

type Profile = NonNullable<PspOptions['profile']>;

/** All profiles with mandates. Each has a store whose first cycle begins on another day of the month. */
const PROFILES: readonly { readonly profile: Profile; readonly startsInDays: number }[] = [
  { profile: 'efi', startsInDays: 0 },
  { profile: 'inter', startsInDays: 2 },
  { profile: 'sicredi', startsInDays: 33 },
  { profile: 'bb', startsInDays: 63 },
  { profile: 'generic', startsInDays: 90 },
];
const { DEBIT_PROFILES, DEBIT_SUBSCRIPTIONS, DEBIT_MONTHS, DEBIT_SEED, BACEN_DOCUMENT } = process.env;
const SIZE = {
  profiles: (
    DEBIT_PROFILES ?? (IS_THOROUGH ? PROFILES.map(({ profile }) => profile).join() : 'sicredi')
  ).split(','),
  subscriptions: Number(DEBIT_SUBSCRIPTIONS ?? (IS_THOROUGH ? 50 : 6)),
  months: Number(DEBIT_MONTHS ?? (IS_THOROUGH ? 24 : 2)),
  seed: Number(DEBIT_SEED ?? 1),
};
const CYCLES = ['WEEKLY', 'MONTHLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY'] as const;
const CONFORMANCE = resolve(import.meta.dirname, '../../conformance');
const DAYS_PER_MONTH = 30.4;

/** A payer and a plan, as the model reads them. */
interface Case {
  readonly accepts: boolean;
  readonly ceiling: number | null;
  readonly emptyOn: readonly string[];
  readonly leavesOn: string | null;
  readonly amount: number;
  readonly amountKind: 'fixed' | 'variable';
  readonly cycle: ProductCycle;
  readonly maxRetry: number;
  readonly everyDays: number;
}

let app: MoneyApp;
const banks = new Map<string, ClockedBank>();
const bankOfStore = new Map<StoreId, PaymentProvider>();
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  app = await createMoneyApp({
    providers: (usual) => ({
      providersOf: async (owner) => {
        const provider = bankOfStore.get(owner.storeId);
        return provider === undefined ? usual.providersOf(owner) : providersOfOne(provider);
      },
      issuerOf: async (issued) => banks.get(issued.provider)?.provider ?? usual.issuerOf(issued),
    }),
  });
});
afterAll(async () => {
  await app.close();
  for (const bank of banks.values()) await bank.close();
  for (const close of closing) await close();
});

const HAS_PRISM = BACEN_DOCUMENT !== undefined && existsSync(join(CONFORMANCE, 'node_modules/@stoplight'));
const VERSION = /^\/v\d/;

/** Banco Central's document between adapter and bank. Prism reads addresses without the bank's version. */
async function throughDocument(psp: Psp, seen: (relay: Relay) => void): Promise<string> {
  const document = join(mkdtempSync(join(tmpdir(), 'recebe-debits-')), 'openapi.json');
  writeCorrectedDocument(String(BACEN_DOCUMENT), CONFORMANCE, document);
  const behind = await relayTo(psp, String(psp.account.settings.apiUrl), (path, headers) => ({
    path: `${headers['x-version'] ?? ''}${path}`,
  }));
  const prism = await startPrism(CONFORMANCE, document, behind.url);
  const before = await startRelay(prism.url, undefined, undefined, (path) => ({
    path: path.replace(VERSION, ''),
    headers: { 'x-version': VERSION.exec(path)?.[0] ?? '' },
  }));
  closing.push(before.close, prism.stop, behind.close);
  seen(before);
  return before.url;
}

function casesOf(chance: Chance, startsOn: CivilDate, until: CivilDate): readonly Case[] {
  return Array.from({ length: SIZE.subscriptions }, (_, index) => {
    const payer = chance.weighted({ steady: 3, shaky: 3, poor: 1, capped: 1, leaves: 2, refuses: 1 });
    const percent = { steady: 0, shaky: 15, poor: 50, capped: 0, leaves: 10, refuses: 0 }[payer];
    const days = Array.from({ length: daysBetween(startsOn, until) }, (_, day) => addDays(startsOn, day + 1));
    return {
      accepts: payer !== 'refuses',
      ceiling: payer === 'capped' ? 5_000 : null,
      emptyOn: days.filter(() => chance.isIn(percent)),
      leavesOn: payer === 'leaves' ? chance.oneOf(days) : null,
      amount: chance.oneOf([4_900, 9_900]),
      amountKind: chance.oneOf(['fixed', 'variable']),
      cycle: CYCLES[index % CYCLES.length] ?? 'MONTHLY',
      maxRetry: chance.between(1, 4),
      everyDays: chance.between(1, 3),
    };
  });
}

/** @returns the id of a subscription whose first cycle is paid at the bank. */
async function subscribed(api: ApiClient, bank: ClockedBank, wanted: Case): Promise<SubscriptionId> {
  const { id: productId } = await buildProduct(api, { price: wanted.amount, cycle: wanted.cycle });
  const order = {
    items: [{ id: productId, quantity: 1 }],
    methods: ['PIX'],
    pixAutomatic: wanted.amountKind,
    retryPolicy: { maxRetry: wanted.maxRetry, retryEvery: wanted.everyDays },
  };
  const { id } = dataOf<{ id: CheckoutId }>(await api.post('/v2/subscriptions/create', order));
  const checkout = await app.database.em.fork().findOneOrFail(CheckoutEntity, { id });
  const charge = await payCheckout(
    { ...app.parts, temporal: app.parts.client, config: TEST_CONFIG },
    checkout,
    {
      submissionKey: randomUUID(),
      method: 'PIX',
      couponCode: null,
      installmentsCount: 1,
      shownCardCents: null,
      card: null,
      payer: { name: 'Ana Souza', taxId: '52998224725', email: null, cellphone: null },
    },
    { now: new Date((await clockOf(api)).now), requestId: null },
  );
  const { provider, providerReference: reference } = charge;
  const { mandates } = bank.psp.bank;
  const mandate = Object.values(mandates.state.mandates).find(
    ({ asked }) => asked.ativacao?.dadosJornada.txid === reference,
  );
  if (mandate === undefined) throw new Error('the code asks for no mandate');
  if (!wanted.accepts) mandates.answerConsent(mandate.idRec, false);
  const { endToEndId } = bank.psp.bank.pay(reference);
  mandate.emptyOn = wanted.emptyOn;
  mandate.ceilingCents = wanted.ceiling;
  if (wanted.leavesOn !== null) bank.leaveAt({ at: new Date(`${wanted.leavesOn}T12:00:00-03:00`), mandate });
  await app.parts.intake.receivePayment({ provider, reference, providerPaymentId: endToEndId }, null);
  const subscription = await eventually(() =>
    app.database.em.fork().findOneOrFail(SubscriptionEntity, {
      checkoutId: id,
      workflowStartedAt: { $ne: null },
    }),
  );
  return subscription.id;
}

/** What the bank's books must never show, in words. */
function wrongOf(instructions: readonly Instruction[]): string[] {
  const live = new Map<string, number>();
  return instructions.flatMap((each) => {
    const due = each.asked.calendario.dataDeVencimento as CivilDate;
    const notice = daysBetween(saoPauloDateOf(new Date(each.createdAt)), due);
    const retries = each.attempts.filter(({ kind }) => kind === 'NTAG').map(({ date }) => date as CivilDate);
    const cycle = `${each.asked.idRec} ${due}`;
    if (!['REJEITADA', 'CANCELADA'].includes(statusOf(each))) live.set(cycle, (live.get(cycle) ?? 0) + 1);
    return [
      ...(notice < 2 || notice > 10 ? [`ordered ${notice} days ahead`] : []),
      ...((live.get(cycle) ?? 0) > 1 ? [`two live debits of ${cycle}`] : []),
      ...(retries.length > 3 || new Set(retries).size < retries.length ? [`retries on ${retries}`] : []),
      ...(retries.some((date) => daysBetween(due, date) > 7) ? [`${due} was retried on ${retries}`] : []),
    ];
  });
}

/** What has ended until then, in the form of the model. */
async function historyOf(api: ApiClient, bank: ClockedBank, id: SubscriptionId) {
  const em = app.database.em.fork();
  const rows = await em.find(DebitEntity, { subscriptionId: id }, { orderBy: { number: 1 } });
  const { instructions } = bank.psp.bank.mandates.state;
  const debits = rows
    .filter(({ status }) => ['PAID', 'FAILED', 'REFUSED', 'DROPPED'].includes(status))
    .map(({ status, number, dueDate, id: reference }) => {
      const wasTried = status === 'PAID' || status === 'FAILED';
      return [
        number,
        dueDate,
        status,
        wasTried ? (instructions[reference.slice(-26)]?.attempts.length ?? 0) : 0,
      ];
    });
  const cycles = await em.execute<{ number: number; payments: number }[]>(
    `select cycle.number, (select count(*)::int from charges charge
       where charge.installment_id = cycle.id and charge.status = 'PAID') as payments
     from installments cycle where subscription_id = ? and status = 'PAID' order by number`,
    [id],
  );
  const { cancelledDueTo } = dataOf<ShownSubscription>(await api.get(`/v2/subscriptions/get?id=${id}`));
  // The first cycle is paid by the checkout.
  const wrong = cycles.filter(({ number, payments }) => payments !== (number === 1 ? payments : 1));
  return { debits, paid: cycles.map(({ number }) => number), ended: cancelledDueTo, wrong };
}

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
const report = (text: string) => process.stderr.write(`${text}\n`);
if (!HAS_PYTHON) report('-     Python is not here: debits at banks were not compared with the model');

describe.each(PROFILES.filter(({ profile }) => SIZE.profiles.includes(profile)))(
  'debits at a bank with the profile $profile',
  ({ profile, startsInDays }) => {
    (HAS_PYTHON ? it : it.skip)(
      `equal an independent model over ${SIZE.months} months of ${SIZE.subscriptions} subscriptions`,
      async () => {
        const startedMs = performance.now();
        let relay: Relay | null = null;
        const through = HAS_PRISM
          ? (psp: Psp) =>
              throughDocument(psp, (each) => {
                relay = each;
              })
          : undefined;
        const bank = await ClockedBank.start(`box_${profile}`, profile, through);
        const { storeId, api } = await app.anotherStore();
        banks.set(bank.provider.name, bank);
        bankOfStore.set(storeId, bank.provider);
        const known = { name: 'Loja da Ana', taxId: '11222333000181' };
        await app.database.em.fork().nativeUpdate(StoreEntity, { id: storeId }, known);
        if (startsInDays > 0) await advance(api, { by: `P${startsInDays}D` });
        bank.moveTo(new Date((await clockOf(api)).now));
        const startsOn = saoPauloDateOf(bank.psp.bank.now());
        const until = addDays(startsOn, Math.round(SIZE.months * DAYS_PER_MONTH));
        const cases = casesOf(new Chance(SIZE.seed, startsInDays), startsOn, until);
        const ids: SubscriptionId[] = [];
        for (const each of cases) ids.push(await subscribed(api, bank, each));
        await advance(api, { to: `${until}T23:30:00-03:00` });

        const input = cases.map((each) => JSON.stringify({ ...each, startsOn, until })).join('\n');
        const model = new URL('bank_debit_model.py', import.meta.url).pathname;
        const { stdout, stderr } = spawnSync('python3', [model], { input, encoding: 'utf8' });
        expect(stderr).toBe('');
        const shown = cases.map(({ emptyOn: _, ...each }) => each);
        const expected = stdout
          .trim()
          .split('\n')
          .map((line, index) => ({ ...shown[index], ...JSON.parse(line), wrong: [] }));
        const seen = [];
        for (const id of ids) seen.push(await historyOf(api, bank, id));
        expect(seen.map((history, index) => ({ ...shown[index], ...history }))).toEqual(expected);

        const { instructions } = bank.psp.bank.mandates.state;
        const orders = Object.values(instructions);
        expect(wrongOf(orders)).toEqual([]);
        const paid = orders.filter((each) => statusOf(each) === 'CONCLUIDA');
        const cycles = seen.reduce((sum, history) => sum + history.paid.length - 1, 0);
        expect(paid).toHaveLength(cycles);
        const exchanges = (relay as Relay | null)?.exchanges ?? [];
        expect([...new Set(exchanges.flatMap(violationsOf))]).toEqual([]);
        const seconds = Math.round((performance.now() - startedMs) / 1_000);
        report(
          `${profile}: ${orders.length} debits, ${cycles} paid, ${exchanges.length} requests validated, ${seconds} s`,
        );
      },
      60 * 60_000,
    );
  },
);
