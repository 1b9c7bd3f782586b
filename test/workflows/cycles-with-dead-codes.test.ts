import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityDeps } from '../../activities/deps.ts';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { openAttention } from '../../src/database/attention.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import type { PaymentProvider } from '../../src/providers/provider.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import type { CycleCharge } from '../../src/subscriptions/dunning/begin-attempt.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { plainStatus } from '../support/fixtures/plain-status.ts';
import { DAY_MS, insertSubscription } from '../support/fixtures/subscriptions.ts';

let shared: BareFixture;
let fixture: BareFixture;
let psp: Psp;
let bank: BacenProvider;
let startedCharges: ChargeId[];

const accountWith = (settings: Readonly<Record<string, string>>) => {
  const { profile, settings: usual, secrets } = psp.account;
  const account = readBacenAccount({ id: 'acct_1', profile, settings: { ...usual, ...settings }, secrets });
  return createBacenProvider(account);
};

beforeAll(async () => {
  [shared, psp] = await Promise.all([createBareFixture(), startPsp({ profile: 'efi' })]);
  bank = accountWith({});
});
beforeEach(async () => {
  fixture = await shared.withNewStore();
  startedCharges = [];
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  await bank.disconnect();
  await Promise.all([shared.close(), psp.close()]);
});

/** A worker whose stores have this account for real money. */
function newWorker(provider: PaymentProvider = bank) {
  const deps: Partial<ActivityDeps> = {
    providers: { providersOf: async () => providersOfOne(provider), issuerOf: async () => provider },
    startAttempt: async ({ id }) => void startedCharges.push(id),
    startDelivery: async () => {},
    notifySubscription: async () => {},
  };
  return fixture.newWorker(fixture.deps(deps));
}

/** A subscription for real money, whose second cycle is due; two failed attempts at a cycle end it. */
async function dueForCycle(): Promise<Subscription> {
  const anchor = new Date(Date.now() - 7 * DAY_MS);
  const subscription = await insertSubscription(fixture, anchor, {
    cycle: 'WEEKLY',
    methods: ['PIX'],
    maxRetry: 2,
  });
  const real = `update subscriptions set dev_mode = false where id = '${subscription.id}'`;
  await fixture.database.em.fork().execute(real);
  return subscription;
}

const second = ({ id }: Subscription, laterMs = 0) => ({
  subscriptionId: id,
  number: 2,
  nowMs: Date.now() + laterMs,
});
async function open(subscription: Subscription, laterMs = 0, worker = newWorker()): Promise<CycleCharge> {
  const cycle = await worker.openCycle(second(subscription, laterMs));
  if (cycle.status !== 'ACTIVE' || cycle.charge === null) throw new Error('the subscription is charged');
  return cycle.charge;
}
const rowOf = ({ chargeId }: CycleCharge): Promise<Charge> =>
  fixture.database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId });
const stateOf = ({ id }: Subscription): Promise<Subscription> =>
  fixture.database.em.fork().findOneOrFail(SubscriptionEntity, { id });
const atBank = ({ chargeId }: CycleCharge) => psp.bank.findCharge('cob', chargeId.slice(-26));
const fail = (subscription: Subscription, { chargeId }: CycleCharge, laterMs = 0) =>
  newWorker().recordFailedAttempt({ ...second(subscription, laterMs), attempt: 1, chargeId });
const refusals = async () =>
  (await openAttention(fixture.database, 100)).filter(({ kind }) => kind === 'CYCLE_CODE_REFUSED');

/** The bank has issued the code of the cycle, and its answer is lost. */
async function loseAnswer(subscription: Subscription): Promise<void> {
  psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'PUT cob' });
  psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'GET cob', times: 2 });
  // The first look-up fails before the order is given, so the order is given by the second try.
  await expect(open(subscription)).rejects.toMatchObject({ kind: 'RETRY' });
  psp.faults.clear();
  psp.faults.order({ fault: { kind: 'STATUS', status: 404 }, on: 'GET cob' });
  psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, on: 'GET cob' });
  psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'PUT cob' });
  await expect(open(subscription)).rejects.toMatchObject({ kind: 'RETRY' });
  psp.faults.clear();
}

describe('a cycle whose code was issued and whose answer came days later', () => {
  it('reuses a code whose answer was lost and extends its expiry', async () => {
    const subscription = await dueForCycle();
    await loseAnswer(subscription);
    const charge = await open(subscription, 3 * DAY_MS);
    const { expiresAt, codeExpiresAt } = await rowOf(charge);
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now() + 3 * DAY_MS);
    expect(codeExpiresAt?.getTime()).toBeGreaterThanOrEqual(expiresAt.getTime());
    expect(atBank(charge)).toMatchObject({ status: 'ATIVA' });
  });

  it('issues another code if the bank has removed the first one', async () => {
    const subscription = await dueForCycle();
    const before = Object.keys(psp.bank.state.charges);
    await loseAnswer(subscription);
    const [lost] = Object.values(psp.bank.state.charges).filter(({ txid }) => !before.includes(txid));
    Object.assign(lost ?? {}, { status: 'REMOVIDA_PELO_PSP' });
    const charge = await open(subscription, 3 * DAY_MS);
    expect(charge.chargeId).not.toContain(lost?.txid);
    expect(atBank(charge).status).toBe('ATIVA');
    expect(await open(subscription, 3 * DAY_MS)).toMatchObject({ chargeId: charge.chargeId });
  });

  it('issues another code if the first one has an old key of the account', async () => {
    const subscription = await dueForCycle();
    await loseAnswer(subscription);
    const [key = ''] = [psp.account.settings.pixKey];
    const lost = Object.values(psp.bank.state.charges).at(-1);
    if (lost === undefined) throw new Error('the bank was not asked');
    Object.assign(lost.asked, { chave: `old-${key}` });
    const charge = await open(subscription);
    expect(charge.chargeId).not.toContain(lost.txid);
    expect(lost.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });
});

describe('a code that becomes unpayable after it was issued', () => {
  it('excuses a failed attempt whose code was removed by the bank', async () => {
    const subscription = await dueForCycle();
    const charge = await open(subscription);
    Object.assign(atBank(charge), { status: 'REMOVIDA_PELO_PSP' });
    const later = DAY_MS + 1_000;
    const expire = { chargeId: charge.chargeId, nowMs: Date.now() + later };
    expect(await plainStatus(newWorker().expireCharge(expire))).toBe('FAILED');
    for (const _ of [1, 2])
      expect(await fail(subscription, charge, later)).toMatchObject({ isExcused: true, status: 'ACTIVE' });
    expect(await stateOf(subscription)).toMatchObject({ failedAttempts: 0, status: 'ACTIVE' });
    const next = await newWorker().retryCycle({ ...second(subscription, later), attempt: 1 });
    expect(next).not.toMatchObject({ chargeId: charge.chargeId });
    expect(next).toMatchObject({ status: 'PENDING' });
    expect(await newWorker().retryCycle({ ...second(subscription, later), attempt: 1 })).toEqual(next);
  });

  it('excuses a failed attempt whose code expired during an outage', async () => {
    const subscription = await dueForCycle();
    const charge = await open(subscription);
    const later = 3 * DAY_MS;
    await newWorker().expireCharge({ chargeId: charge.chargeId, nowMs: Date.now() + later });
    expect(await fail(subscription, charge, later)).toMatchObject({ isExcused: true });
  });

  it('counts a failed attempt if the payer had the whole time to pay the code', async () => {
    const subscription = await dueForCycle();
    const charge = await open(subscription);
    const later = DAY_MS + 1_000;
    await newWorker().expireCharge({ chargeId: charge.chargeId, nowMs: Date.now() + later });
    expect(await fail(subscription, charge, later)).toMatchObject({ isRecorded: true });
    expect(await stateOf(subscription)).toMatchObject({ failedAttempts: 1 });
  });

  it('replaces a code that expired before its subscription could wait for it', async () => {
    const subscription = await dueForCycle();
    const charge = await open(subscription);
    const later = 3 * DAY_MS;
    const next = await open(subscription, later);
    expect(next.chargeId).not.toBe(charge.chargeId);
    expect(next.closesAtMs).toBeGreaterThan(Date.now() + later);
    // The first code is closed by its own workflow, which must be started for that.
    expect(startedCharges).toEqual([charge.chargeId, charge.chargeId, next.chargeId]);
  });
});

describe('a code that the bank refuses', () => {
  it('asks a person about a refused code and issues it once the key is corrected', async () => {
    const subscription = await dueForCycle();
    const wrong = newWorker(accountWith({ pixKey: 'outra@loja.example' }));
    for (const _ of [1, 2])
      await expect(open(subscription, 0, wrong)).rejects.toMatchObject({ type: 'CODE_REFUSED' });
    expect(await refusals()).toMatchObject([{ subjectId: subscription.id, storeId: fixture.storeId }]);
    expect(await stateOf(subscription)).toMatchObject({ status: 'ACTIVE', failedAttempts: 0 });
    expect(await open(subscription)).toMatchObject({ status: 'PENDING' });
    expect(await refusals()).toEqual([]);
  });
});
