import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { AccountProviders } from '../../src/accounts/account-providers.ts';
import { addAccount } from '../../src/accounts/accounts.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import { NotificationTurns } from '../../src/api/limits/notification-turns.ts';
import { openAttention, resolveAttention } from '../../src/database/attention.ts';
import { Intake } from '../../src/notifications/intake.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, TEST_CONFIG, type TestApp } from '../support/api/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { recordPayment } from '../support/rows/recorded-payment.ts';

const KEYS = new SecretsKeys([randomBytes(32).toString('base64')]);

let psp: Psp;
let app: TestApp;
let path: string;
let own: TestDatabase;
/** Payments and disputes that the workflows of charges received, in order. */
const received: { chargeId: string; news: string }[] = [];
let isTemporalAway = false;

/** Payments that the bank's look-up does not know yet. */
const unknownYet = new Set<string>();

async function receive(chargeId: string, news: string): Promise<'PAID'> {
  if (isTemporalAway) throw new WorkflowUpdateRPCTimeoutOrCancelledError('away');
  received.push({ chargeId, news });
  return 'PAID';
}

/** As the charge's run does, if the bank knows the payment. */
async function confirm({ id }: { readonly id: string }, providerPaymentId: string): Promise<'PAID'> {
  const status = await receive(id, providerPaymentId);
  if (!unknownYet.has(providerPaymentId))
    await recordPayment(own.database, id, accountId(), providerPaymentId);
  return status;
}

beforeAll(async () => {
  psp = await startPsp({ profile: 'efi' });
  own = await createTestDatabase();
  const { database } = own;
  const intake = new Intake(database, {
    confirmPayment: confirm,
    askProviderNow: async () => {},
    lookUpPayment: async () => {},
    confirmDispute: ({ id }, providerDisputeId) => receive(id, providerDisputeId),
  });
  app = await createTestApp(
    {
      config: { ...TEST_CONFIG, limitAnonymousTraffic: true },
      intake,
      providers: {
        providersOf: (owner) => providers.providersOf(owner),
        issuerOf: (issued) => providers.issuerOf(issued),
      },
    },
    { database },
  );
  const { storeId } = app;
  const sandbox = await app.parts.providers.issuerOf({ provider: 'sandbox', devMode: true });
  const providers = new AccountProviders({
    database,
    secretsKeys: KEYS,
    kinds: PROVIDER_KINDS,
    sandbox,
    log: app.parts.log,
  });
  const { profile, settings, secrets } = psp.account;
  const given = { storeId, kind: 'bacen', profile, uses: null, settings, secrets };
  const keeping = { em: database.em.fork(), keys: KEYS, kinds: PROVIDER_KINDS };
  const { account } = await addAccount(keeping, given, new Date());
  path = notificationPath(account, KEYS);
});
beforeEach(() => {
  received.length = 0;
  isTemporalAway = false;
  unknownYet.clear();
});
afterAll(async () => {
  await app.close();
  await own.drop();
  await psp.close();
});

/** A charge of real money. @returns its id and the payment that its bank would name. */
async function issued() {
  const production = await app.clientWith({ devMode: false });
  const body = { method: 'PIX', data: { amount: 2_500 } };
  const { id } = dataOf<{ id: string }>(await production.post('/v2/transparents/create', body));
  const [row] = await app.database.em
    .fork()
    .execute<{ reference: string }[]>('select provider_reference as reference from charges where id = ?', [
      id,
    ]);
  const endToEndId = `E${randomBytes(16).toString('hex').slice(0, 31)}`;
  return { id, pix: { endToEndId, txid: row?.reference, valor: '25.00', horario: '2026-11-23T01:00:00Z' } };
}

const post = (to: string, body: object) => app.api.post(to, body);

const accountId = () => path.split('/')[2] ?? '';

async function unreadable() {
  const open = await openAttention(app.database, 100);
  return open.filter(({ kind }) => kind === 'UNREADABLE_PAYMENT');
}

describe('a notification of a bank', () => {
  it('returns 200 once the workflows of all charges have recorded their payments', async () => {
    const [one, other] = [await issued(), await issued()];
    const { status } = await post(`${path}/pix`, { pix: [one.pix, other.pix] });
    expect(status).toBe(200);
    const expected = [one, other].map(({ id, pix }) => ({ chargeId: id, news: pix.endToEndId }));
    expect(received).toEqual(expect.arrayContaining(expected));
    expect(received).toHaveLength(2);
  });

  it('returns 404 at a path below the address that the provider does not use', async () => {
    const { pix } = await issued();
    for (const below of ['/cob', '/pix/more'])
      expect(await post(`${path}${below}`, { pix: [pix] })).toMatchObject({
        status: 404,
        json: { code: 'ROUTE_NOT_FOUND' },
      });
    expect(received).toEqual([]);
  });

  it('returns 503 while Temporal is away, so that the bank retries', async () => {
    const { pix } = await issued();
    isTemporalAway = true;
    expect(await post(path, { pix: [pix] })).toMatchObject({
      status: 503,
      json: { code: 'TEMPORARILY_UNAVAILABLE' },
    });
    isTemporalAway = false;
    expect((await post(path, { pix: [pix] })).status).toBe(200);
    expect(received).toHaveLength(1);
  });

  it('reports the payment to the workflow before its dispute', async () => {
    const { id, pix } = await issued();
    const devolucoes = [
      { id: 'D1', rtrId: 'D1', valor: '1.00', status: 'DEVOLVIDO' },
      { id: 'M1', rtrId: 'D2', valor: '2.00', natureza: 'MED_FRAUDE', status: 'EM_PROCESSAMENTO' },
    ];
    expect((await post(path, { pix: [{ ...pix, devolucoes }] })).status).toBe(200);
    const news = [pix.endToEndId, `${pix.endToEndId}/M1`];
    expect(received).toEqual(news.map((each) => ({ chargeId: id, news: each })));
  });

  it('returns 200 for a payment without a charge and logs a warning', async () => {
    const { pix } = await issued();
    const stranger = { ...pix, txid: 'A'.repeat(26) };
    expect((await post(path, { pix: [stranger] })).status).toBe(200);
    expect(received).toEqual([]);
    const warning = { msg: 'payment notified without a charge', providerPaymentId: pix.endToEndId };
    expect(app.logged).toContainEqual(expect.objectContaining(warning));
  });

  it('returns 503 until each of two payments of one charge has its row', async () => {
    const { id, pix } = await issued();
    const second = { ...pix, endToEndId: `${pix.endToEndId.slice(0, -1)}x` };
    unknownYet.add(pix.endToEndId);
    expect((await post(path, { pix: [pix, second] })).status).toBe(503);
    expect(received).toEqual([pix, second].map(({ endToEndId }) => ({ chargeId: id, news: endToEndId })));
    expect((await post(path, { pix: [second, pix] })).status).toBe(503);
    unknownYet.clear();
    expect((await post(path, { pix: [pix, second] })).status).toBe(200);
  });

  it('holds a dispute back while its payment has no row', async () => {
    const { id, pix } = await issued();
    unknownYet.add(pix.endToEndId);
    const devolucoes = [{ id: 'M1', natureza: 'MED_FRAUDE' }];
    expect((await post(path, { pix: [{ ...pix, devolucoes }] })).status).toBe(503);
    expect(received).toEqual([{ chargeId: id, news: pix.endToEndId }]);
  });

  it('skips malformed items, records the others and notes each malformed one once', async () => {
    const { id, pix } = await issued();
    const body = { pix: [{ valor: 1 }, { ...pix, devolucoes: [{ natureza: 'MED_FRAUDE' }] }] };
    expect((await post(path, body)).status).toBe(200);
    expect(received).toEqual([{ chargeId: id, news: pix.endToEndId }]);
    const noted = await unreadable();
    const account = accountId();
    const subjects = new Set(noted.map(({ subjectId }) => subjectId.replace(/[0-9a-f]{16}$/, '')));
    expect(subjects).toEqual(new Set([`${account}/${pix.endToEndId}/sha256-`, `${account}/sha256-`]));
    expect(noted[0]).toMatchObject({ storeId: app.storeId, devMode: false });
    for (const { subjectId } of noted)
      await resolveAttention(app.database, { kind: 'UNREADABLE_PAYMENT', subjectId, now: new Date() });
    expect((await post(path, body)).status).toBe(200);
    expect(await unreadable()).toEqual([]);
  });

  it('returns 400 for a notification that is unreadable', async () => {
    expect(await post(path, { pix: 'E1' })).toMatchObject({
      status: 400,
      json: { code: 'VALIDATION_ERROR' },
    });
  });

  it('returns 404 for a wrong secret or account and limits guesses', async () => {
    const { pix } = await issued();
    const nowhere = await post('/nowhere', {});
    const wrong = [path.slice(0, -1), `${path}x`, path.replace(/acct?_?[^/]*/, 'acct_0')];
    for (const guess of wrong) {
      const answer = await post(guess, { pix: [pix] });
      expect([answer.status, answer.json.code]).toEqual([404, nowhere.json.code]);
    }
    expect(received).toEqual([]);
    for (let tries = 0; tries < 60; tries += 1) await post(`${path}x`, {});
    expect((await post(`${path}x`, {})).status).toBe(429);
    expect((await post(path, { pix: [pix] })).status).toBe(200);
  });

  it('takes turns of its store once its address is known', async () => {
    using turn = jest.spyOn(NotificationTurns.prototype, 'run');
    for (let times = 0; times < 2; times += 1)
      expect((await post(`${path}/pix`, { pix: [] })).status).toBe(200);
    expect(turn.mock.calls.at(-1)?.[0]).toBe(app.storeId);
    turn.mockClear();
    await post(`${path}x/pix`, { pix: [] });
    expect(turn).not.toHaveBeenCalled();
  });

  it('leaves no secret of its address in the log', () => {
    const secret = path.split('/').at(-1) ?? '';
    expect(secret.length).toBeGreaterThan(30);
    expect(JSON.stringify(app.logged)).not.toContain(secret);
  });
});
