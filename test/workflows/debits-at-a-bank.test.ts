import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import type { BankWebhook } from '../../scripts/psp/state.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import { payCheckout } from '../../src/checkouts/pay-checkout.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CycleEntity } from '../../src/database/entities/cycle.ts';
import { type Debit, DebitEntity } from '../../src/database/entities/debit.ts';
import { MandateEntity } from '../../src/database/entities/mandate.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import type { CheckoutId, MandateId } from '../../src/domain/ids.ts';
import { parseCompositeBrCode } from '../../src/domain/pix.ts';
import { advanceDebit, type DebitDeps } from '../../src/mandates/advance-debit.ts';
import { cancelUnwantedDebits } from '../../src/mandates/cancel-unwanted-debits.ts';
import { compareMandates } from '../../src/mandates/compare-mandates.ts';
import { followMandate } from '../../src/mandates/follow-mandate.ts';
import { followMandates } from '../../src/mandates/follow-mandates.ts';
import { planDebits } from '../../src/mandates/plan-debits.ts';
import { startDebits } from '../../src/mandates/start-debits.ts';
import { takeDebitNotice, takeMandateNotice } from '../../src/notifications/mandate-notices.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { withPort } from '../../src/providers/provider.ts';
import { debitStart } from '../../src/temporal/debit.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { TEST_CONFIG } from '../support/api/app.ts';
import { openBankAccount } from '../support/api/bank-account.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { debitDeps } from '../support/fixtures/debit-deps.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { eventually } from '../support/waiting/eventually.ts';

const PAYER = { name: 'Ana Souza', taxId: '52998224725', email: null, cellphone: null };

let app: MoneyApp;
let psp: Psp;
let api: ApiClient;
let deps: DebitDeps;
/** Where the bank posts news of mandates and debits, once a test wants that. */
let newsAddress: BankWebhook;

beforeAll(async () => {
  app = await createMoneyApp({ secretsKeys: [randomBytes(32).toString('base64')] });
  psp = await startPsp({ profile: 'efi' });
  const settings = {
    ...psp.account.settings,
    receivingAccount: '1234567',
    receivingBranch: '0001',
    notificationProof: 'token' as const,
  };
  const at = { account: { ...psp.account, settings } };
  const known = { name: 'Loja da Ana', taxId: '11222333000181' };
  await app.database.em.fork().nativeUpdate(StoreEntity, { id: app.storeId }, known);
  const account = await openBankAccount(app, at, app.storeId);
  const url = app.api.url + notificationPath(account, app.parts.secretsKeys);
  newsAddress = { key: '', url, createdAt: '', withoutCertificate: true };
  api = await app.clientWith({ devMode: false });
  // The time of the bank is moved, and that of the workflows is not.
  deps = debitDeps(app);
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

/** Moves the clock of the bank, which then does what is due. @returns the instant. */
function moveTo(date: CivilDate, hour: number): Date {
  const at = new Date(`${date}T${String(hour).padStart(2, '0')}:00:00-03:00`);
  psp.bank.state.clockAheadMs = at.getTime() - Date.now();
  psp.ownActs.runDue();
  return at;
}

/** A payer opens the page and gets a code. */
async function codeOf(): Promise<Charge> {
  const { id: productId } = await buildProduct(api, { price: 4_990, cycle: 'MONTHLY' });
  const items = [{ id: productId, quantity: 1 }];
  const order = { items, methods: ['PIX'], pixAutomatic: 'fixed' };
  const { id } = dataOf<{ id: CheckoutId }>(await api.post('/v2/subscriptions/create', order));
  const checkout = await app.database.em.fork().findOneOrFail(CheckoutEntity, { id });
  const choice = {
    submissionKey: randomUUID(),
    method: 'PIX' as const,
    couponCode: null,
    installmentsCount: 1,
    shownCardCents: null,
    card: null,
    payer: PAYER,
  };
  const moment = { now: new Date(), requestId: null };
  return payCheckout(
    { ...app.parts, temporal: app.parts.client, config: TEST_CONFIG },
    checkout,
    choice,
    moment,
  );
}

/** The payer pays the code, and with it accepts the mandate. */
async function subscribed(): Promise<Subscription> {
  const charge = await codeOf();
  const { endToEndId } = psp.bank.pay(charge.providerReference);
  const { provider, providerReference: reference } = charge;
  await app.parts.intake.receivePayment({ provider, reference, providerPaymentId: endToEndId }, null);
  return eventually(() =>
    // Its row is locked while its start is noted, and rounds leave out what is locked.
    app.database.em.fork().findOneOrFail(SubscriptionEntity, {
      checkoutId: charge.checkoutId as CheckoutId,
      workflowStartedAt: { $ne: null },
    }),
  );
}

const debitOf = ({ id }: Subscription) =>
  app.database.em.fork().findOneOrFail(DebitEntity, { subscriptionId: id });

/** @returns the due date, and the debit once it is ordered at the bank. */
async function ordered(subscription: Subscription): Promise<{ dueDate: CivilDate; id: Charge['id'] }> {
  const now = moveTo(addDays(saoPauloDateOf(subscription.cycleEndsAt), -7), 10);
  expect(await planDebits(deps, { now, owner: { storeId: app.storeId, devMode: false } })).toBe(1);
  const { id, dueDate } = await debitOf(subscription);
  expect(await advanceDebit(deps, id, now)).toMatchObject({ status: 'ORDERED' });
  return { id, dueDate };
}

it('debits the next cycle under the consent that came with the first payment', async () => {
  const subscription = await subscribed();
  await eventually(async () =>
    expect(
      await app.database.em.fork().findOneOrFail(MandateEntity, { id: subscription.mandateId as MandateId }),
    ).toMatchObject({ status: 'ACTIVE', amountCents: 4_990 }),
  );
  const { id, dueDate } = await ordered(subscription);
  expect(psp.bank.mandates.state.instructions[id.slice(-26)]).toBeDefined();
  expect(await advanceDebit(deps, id, moveTo(dueDate, 0))).toMatchObject({ status: 'BEGUN' });
  // On a day that is no business day the bank debits on the next one.
  for (let days = 0; days < 5 && (await debitOf(subscription)).status === 'BEGUN'; days += 1)
    await advanceDebit(deps, id, moveTo(addDays(dueDate, days), 23));
  expect(await debitOf(subscription)).toMatchObject({ status: 'PAID' });
  const em = app.database.em.fork();
  expect(await em.findOneOrFail(ChargeEntity, { id })).toMatchObject({ status: 'PAID', amountCents: 4_990 });
  const second = { subscriptionId: subscription.id, number: 2 };
  expect(await em.findOneOrFail(CycleEntity, second)).toMatchObject({ status: 'PAID', paidByChargeId: id });
});

/** A subscription on the day on which its debit is ordered. */
async function dueForOrder(): Promise<{ subscription: Subscription; now: Date }> {
  psp.bank.state.clockAheadMs = 0;
  const subscription = await subscribed();
  return { subscription, now: moveTo(addDays(saoPauloDateOf(subscription.cycleEndsAt), -7), 10) };
}

/** Plans what is due. @returns the debits as their workflows are started. */
async function startedDebits(now: Date): Promise<Debit[]> {
  const started: Debit[] = [];
  const startDebit = async (debit: Debit) => void started.push(debit);
  await planDebits({ ...deps, startDebit }, { now, owner: { storeId: app.storeId, devMode: false } });
  return started;
}

it('orders in the round, and lets the workflow sleep until the due date', async () => {
  const { subscription, now } = await dueForOrder();
  const [started] = await startedDebits(now);
  const { status, nextAt, dueDate } = await debitOf(subscription);
  expect(started).toMatchObject({ status: 'ORDERED', nextAt });
  expect({ status, nextAt }).toEqual({ status: 'ORDERED', nextAt: saoPauloMidnight(dueDate) });
  expect(debitStart(started as Debit).sleepsUntil).toEqual(nextAt);
});

it.each([
  { bank: 'is away', fault: { kind: 'STATUS', status: 503 } },
  { bank: 'hangs', fault: { kind: 'HANG_AFTER_EFFECT' } },
] as const)('leaves the order to the workflow while the bank $bank', async ({ fault }) => {
  const { subscription, now } = await dueForOrder();
  psp.faults.order({ fault, on: 'PUT cobr', times: 'ALWAYS' });
  const [started] = await startedDebits(now);
  psp.faults.clear();
  expect(started).toMatchObject({ status: 'PLANNED' });
  expect(debitStart(started as Debit).sleepsUntil.getTime()).toBeLessThanOrEqual(now.getTime());
  const { id } = await debitOf(subscription);
  expect(await advanceDebit(deps, id, now)).toMatchObject({ status: 'ORDERED' });
});

it('orders in the round although the bank loses its answer', async () => {
  const { now } = await dueForOrder();
  psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'PUT cobr', times: 'ALWAYS' });
  expect(await startedDebits(now)).toMatchObject([{ status: 'ORDERED' }]);
  psp.faults.clear();
});

it('orders nothing more in a round after a slow bank', async () => {
  const { now } = await dueForOrder();
  psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, on: 'PUT cobr', times: 'ALWAYS' });
  const [debit] = (await startedDebits(now)) as [Debit];
  psp.faults.clear();
  const started: Debit[] = [];
  const startDebit = async (each: Debit) => void started.push(each);
  expect(await startDebits({ ...deps, startDebit }, [debit], now, false)).toBe(false);
  expect(started).toEqual([debit]);
  expect(psp.bank.mandates.state.instructions[debit.id.slice(-26)]).toBeUndefined();
  expect(await advanceDebit(deps, debit.id, now)).toMatchObject({ status: 'ORDERED' });
});

it('shows a code that pays the first amount and asks for consent', async () => {
  psp.bank.state.clockAheadMs = 0;
  const { brCode, mandateId } = await codeOf();
  expect(parseCompositeBrCode(brCode ?? '')).toEqual({
    charge: expect.any(String),
    mandate: expect.any(String),
  });
  expect(mandateId).not.toBeNull();
});

it('shows an ordinary code if the bank creates no mandate', async () => {
  psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, on: 'POST rec', times: 'ALWAYS' });
  const { brCode, mandateId } = await codeOf();
  psp.faults.clear();
  expect(mandateId).toBeNull();
  expect(parseCompositeBrCode(brCode ?? '')).toBeNull();
});

it('drops the debit and ends the subscription if its payer ends the mandate', async () => {
  psp.bank.state.clockAheadMs = 0;
  const subscription = await subscribed();
  await eventually(async () => {
    const { status } = await app.database.em
      .fork()
      .findOneOrFail(MandateEntity, { id: subscription.mandateId as MandateId });
    expect(status).toBe('ACTIVE');
  });
  const { id, dueDate } = await ordered(subscription);
  const { providerMandateId, id: mandateId } = await app.database.em
    .fork()
    .findOneOrFail(MandateEntity, { id: subscription.mandateId as MandateId });
  psp.bank.mandates.cancelAtPayersBank(providerMandateId);
  const now = moveTo(addDays(dueDate, -5), 12);
  expect(await followMandates(deps, now, () => {})).toBeGreaterThan(0);
  expect(await app.database.em.fork().findOneOrFail(MandateEntity, { id: mandateId })).toMatchObject({
    status: 'CANCELLED',
    endedBy: 'PAYER',
  });
  await eventually(async () =>
    expect(await advanceDebit(deps, id, new Date(now.getTime() + 60_000))).toMatchObject({
      status: 'DROPPED',
    }),
  );
  expect(
    await app.database.em.fork().findOneOrFail(SubscriptionEntity, { id: subscription.id }),
  ).toMatchObject({ status: 'CANCELLED', cancelledDueTo: 'pix_automatic_authorization_refused' });
});

/** Gives news of a debit. @returns the debits whose workflows look it up. */
async function noticed(provider: string, reference: string, now: Date): Promise<string[]> {
  const woken: string[] = [];
  const wakeDebit = (id: string) => void woken.push(id);
  await takeDebitNotice({ ...deps, wakeDebit, followMandate: async () => {} }, provider, reference, now);
  return woken;
}

it('looks a noticed debit up once a minute, and opens its cycle no earlier', async () => {
  psp.bank.state.clockAheadMs = 0;
  const subscription = await subscribed();
  const { id, dueDate } = await ordered(subscription);
  const { provider } = await app.database.em.fork().findOneOrFail(MandateEntity, {
    id: subscription.mandateId as MandateId,
  });
  const { providerReference: reference } = await debitOf(subscription);
  const now = moveTo(addDays(dueDate, -3), 12);
  expect(await noticed('pacc_another', reference ?? '', now)).toEqual([]);
  expect(await noticed(provider, 'nobodyKnowsThisReference00', now)).toEqual([]);
  expect(await noticed(provider, reference ?? '', now)).toEqual([id]);
  expect(await noticed(provider, reference ?? '', now)).toEqual([]);
  const minuteLater = new Date(now.getTime() + 60_000);
  expect(await advanceDebit(deps, id, minuteLater)).toEqual({
    status: 'ORDERED',
    nextAtMs: Date.parse(`${dueDate}T00:00:00-03:00`),
  });
});

it('asks the bank once about a flood of news of a mandate', async () => {
  psp.bank.state.clockAheadMs = 0;
  const subscription = await subscribed();
  const id = subscription.mandateId as MandateId;
  const mandateOf = () => app.database.em.fork().findOneOrFail(MandateEntity, { id });
  await eventually(async () => expect(await mandateOf()).toMatchObject({ status: 'ACTIVE' }));
  const { provider, providerMandateId } = await mandateOf();
  const now = new Date(Date.now() + 7_200_000);
  let asked = 0;
  const notify = (of = provider, reference = providerMandateId) =>
    takeMandateNotice(
      {
        ...deps,
        followMandate: (each, at) => {
          asked += 1;
          return followMandate(deps, each, at);
        },
      },
      of,
      reference,
      now,
    );
  await notify('pacc_another');
  await notify(provider, 'RRunknown');
  expect(asked).toBe(0);
  // News alone ends nothing.
  await Promise.all([notify(), notify(), notify()]);
  expect(asked).toBe(1);
  expect(await mandateOf()).toMatchObject({ status: 'ACTIVE' });
  // What came meanwhile is answered by the next round.
  psp.bank.mandates.cancelAtPayersBank(providerMandateId);
  await notify();
  await followMandates(deps, now, () => {});
  expect(await mandateOf()).toMatchObject({ status: 'CANCELLED', endedBy: 'PAYER' });
});

describe('the comparison with the bank', () => {
  const HOUR_MS = 3_600_000;
  const row = (id: Charge['id']) => app.database.em.fork().findOneOrFail(DebitEntity, { id });
  const atBank = (id: Charge['id']) => psp.bank.mandates.state.instructions[id.slice(-26)];

  /** An ordered debit, the account's provider, the hours around the order, and the instant two hours later. */
  async function compared() {
    psp.bank.state.clockAheadMs = 0;
    const subscription = await subscribed();
    const { id, dueDate } = await ordered(subscription);
    const { provider: name, providerMandateId } = await app.database.em
      .fork()
      .findOneOrFail(MandateEntity, { id: subscription.mandateId as MandateId });
    const provider = withPort(
      await app.parts.providers.issuerOf({ provider: name, devMode: false }),
      'mandates',
    );
    const { createdAt } = await row(id);
    const time = {
      from: new Date(createdAt.getTime() - HOUR_MS),
      until: new Date(createdAt.getTime() + HOUR_MS),
    };
    const now = new Date(createdAt.getTime() + 2 * HOUR_MS);
    const compare = () => compareMandates(app.database.em.fork(), provider, time, now);
    const cancel = () => cancelUnwantedDebits(app.parts, provider, time, now);
    const others = (await compare()).differences.length;
    expect(others).toBe(0);
    return { id, dueDate, providerMandateId, compare, cancel };
  }

  it('finds no difference after an order', async () => {
    const { compare } = await compared();
    const { bank, here } = await compare();
    expect(bank).toEqual(here);
    expect(here.debits).toBeGreaterThan(0);
  });

  it('cancels a debit that nobody wants here any more', async () => {
    const { id, compare, cancel } = await compared();
    const dropped = { status: 'DROPPED' as const, nextAt: null };
    await app.database.em.fork().nativeUpdate(DebitEntity, { id }, dropped);
    expect((await compare()).differences).toMatchObject([{ problem: 'DEBIT_NOT_CANCELLED_AT_BANK', id }]);
    expect(await cancel()).toBe(1);
    expect(atBank(id)?.steps.at(-1)?.status).toBe('CANCELADA');
    expect((await compare()).differences).toEqual([]);
    expect(await cancel()).toBe(0);
  });

  it('cancels a debit whose row was lost, and none of another program', async () => {
    const { id, providerMandateId, compare, cancel } = await compared();
    await app.database.em.fork().nativeDelete(DebitEntity, { id });
    expect((await compare()).differences).toMatchObject([
      { problem: 'DEBIT_MISSING_HERE', id: null, bankCents: 4_990, hereCents: null },
    ]);
    const foreign = { providerMandateId: `${providerMandateId}x` };
    await app.database.em.fork().nativeUpdate(MandateEntity, { providerMandateId }, foreign);
    expect(await cancel()).toBe(0);
    await app.database.em.fork().nativeUpdate(MandateEntity, foreign, { providerMandateId });
    expect(await cancel()).toBe(1);
  });

  it('cancels it in the round of the next night', async () => {
    const { id } = await compared();
    await app.database.em.fork().nativeUpdate(DebitEntity, { id }, { status: 'DROPPED', nextAt: null });
    const { createdAt } = await row(id);
    await takeListed(app.parts, new Date(createdAt.getTime() + 2 * 24 * HOUR_MS));
    expect(atBank(id)?.steps.at(-1)?.status).toBe('CANCELADA');
  });

  it('finds a debit that the bank has forgotten, and another amount', async () => {
    const { id, compare } = await compared();
    const known = atBank(id);
    if (known === undefined) throw new Error('The bank has no such debit.');
    const { instructions } = psp.bank.mandates.state;
    delete instructions[known.txid];
    expect((await compare()).differences).toMatchObject([{ problem: 'DEBIT_MISSING_AT_BANK', id }]);
    instructions[known.txid] = known;
    await app.database.em.fork().nativeUpdate(DebitEntity, { id }, { amountCents: 4_991 });
    expect((await compare()).differences).toMatchObject([
      { problem: 'DEBIT_OTHER_AMOUNT', id, bankCents: 4_990, hereCents: 4_991 },
    ]);
    await app.database.em.fork().nativeUpdate(DebitEntity, { id }, { amountCents: 4_990 });
  });

  it('finds a mandate that has ended here and is still active at the bank', async () => {
    psp.bank.state.clockAheadMs = 0;
    const { mandateId } = await subscribed();
    const id = mandateId as MandateId;
    const mandateOf = () => app.database.em.fork().findOneOrFail(MandateEntity, { id });
    await eventually(async () => expect((await mandateOf()).status).toBe('ACTIVE'));
    const { provider: name, createdAt } = await mandateOf();
    const provider = withPort(
      await app.parts.providers.issuerOf({ provider: name, devMode: false }),
      'mandates',
    );
    const time = {
      from: new Date(createdAt.getTime() - 1_000),
      until: new Date(createdAt.getTime() + 60_000),
    };
    const now = new Date(createdAt.getTime() + 3 * HOUR_MS);
    const problems = async () =>
      (await compareMandates(app.database.em.fork(), provider, time, now)).differences
        .filter((each) => each.id === id)
        .map(({ problem }) => problem);
    expect(await problems()).toEqual([]);
    await app.database.em.fork().nativeUpdate(MandateEntity, { id }, { endRequestedAt: createdAt });
    expect(await problems()).toEqual(['MANDATE_NOT_ENDED_AT_BANK']);
  });
});

describe('news of the bank', () => {
  const mandateOf = ({ mandateId }: Subscription) =>
    app.database.em.fork().findOneOrFail(MandateEntity, { id: mandateId as MandateId });
  /** A subscription whose mandate is active, and a bank that posts news. */
  async function informed(): Promise<Subscription> {
    psp.bank.state.clockAheadMs = 0;
    psp.bank.state.newsWebhooks = { rec: newsAddress, cobr: newsAddress };
    const subscription = await subscribed();
    await eventually(async () => expect((await mandateOf(subscription)).status).toBe('ACTIVE'));
    return subscription;
  }
  afterEach(() => {
    psp.faults.clear();
    psp.bank.state.newsWebhooks = {};
  });

  it('ends the subscription as soon as its payer has ended the mandate', async () => {
    const subscription = await informed();
    // Repeated news have no effect.
    psp.faults.order({ fault: { kind: 'REPEAT_WEBHOOKS', copies: 3 }, on: 'webhook', times: 'ALWAYS' });
    const { id, providerMandateId } = await mandateOf(subscription);
    psp.bank.mandates.cancelAtPayersBank(providerMandateId);
    await eventually(async () => {
      const em = app.database.em.fork();
      // The bank was asked within the minute, so the next round asks again.
      await followMandates(deps, new Date(), () => {});
      expect(await em.findOneOrFail(MandateEntity, { id })).toMatchObject({ status: 'CANCELLED' });
      expect(await em.findOneOrFail(SubscriptionEntity, { id: subscription.id })).toMatchObject({
        status: 'CANCELLED',
      });
    });
    await psp.poster.idle();
    const ended = dataOf<unknown[]>(
      await api.get('/v2/events/list?name=subscription.authorization_cancelled'),
    );
    expect(ended.filter((event) => JSON.stringify(event).includes(id))).toHaveLength(1);
  });

  it('changes nothing if it is about something unknown, or does not know the address', async () => {
    const { url } = newsAddress;
    const body = JSON.stringify({ recs: [{ idRec: 'RR9999999820261128aaaaaaaaaaa' }] });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/rec`, { method: 'POST', headers, body })).status).toBe(200);
    const debits = JSON.stringify({ cobsr: [{ txid: '01JDQ0000000000000000000AB' }] });
    expect((await fetch(`${url}/cobr`, { method: 'POST', headers, body: debits })).status).toBe(200);
    const guessed = url.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    expect((await fetch(`${guessed}/rec`, { method: 'POST', headers, body })).status).toBe(404);
  });
});
