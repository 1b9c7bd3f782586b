import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { removeAccount } from '../../src/accounts/accounts.ts';
import { compareDay } from '../../src/accounts/compare-day.ts';
import { openAttention } from '../../src/database/attention.ts';
import { ProviderAccountEntity } from '../../src/database/entities/provider-account.ts';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId, ProviderAccountId, StoreId } from '../../src/domain/ids.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { withPort } from '../../src/providers/provider.ts';
import { lostCharges } from '../../src/recovery/lost-rows/lost-charges.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { openBankAccount, pauseReconciliation } from '../support/api/bank-account.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { chargeOf } from '../support/rows/payments.ts';

const KEY = randomBytes(32).toString('base64');
const DAY_MS = 86_400_000;

let app: MoneyApp;
let psp: Psp;
let storeId: StoreId;
let api: ApiClient;
let oldAccountId: ProviderAccountId;
let newAccountId: ProviderAccountId;

beforeAll(async () => {
  [app, psp] = await Promise.all([createMoneyApp({ secretsKeys: [KEY] }), startPsp({ profile: 'efi' })]);
  // Runs when a test says so.
  await pauseReconciliation(app);
  ({ storeId } = await app.anotherStore());
  api = await app.clientWith({ storeId, devMode: false });
  oldAccountId = await openAccount();
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const em = () => app.database.em.fork();
const round = () => takeListed(app.parts, new Date(Date.now() + 1_000));

async function openAccount(): Promise<ProviderAccountId> {
  return (await openBankAccount(app, psp, storeId)).id;
}

/** A charge that its payer has paid. The bank notifies nobody. */
async function paidCharge() {
  const body = { method: 'PIX', data: { amount: 2_500 } };
  const { id } = dataOf<{ id: ChargeId }>(await api.post('/v2/transparents/create', body));
  const { endToEndId } = psp.bank.pay(id.slice(-26));
  return { id, endToEndId };
}

async function compareToday(accountId: ProviderAccountId) {
  const account = await em().findOneOrFail(ProviderAccountEntity, { id: accountId });
  const provider = await app.parts.providers.issuerOf({ provider: accountId, devMode: false });
  return compareDay(
    em(),
    account,
    withPort(provider, 'listing'),
    saoPauloDateOf(new Date()),
    new Date(Date.now() + 1_000),
  );
}

async function notedOf(accountId: ProviderAccountId) {
  const open = await openAttention(app.database, 1_000);
  return open.filter(({ subjectId }) => subjectId.startsWith(accountId));
}

describe('an account that replaced another one at the same bank account', () => {
  let earlier: Awaited<ReturnType<typeof paidCharge>>;
  beforeAll(async () => {
    earlier = await paidCharge();
    await removeAccount(em(), oldAccountId, new Date());
    newAccountId = await openAccount();
  });

  it('records payments of both, and reports none of them as unknown', async () => {
    const later = await paidCharge();
    await round();
    expect((await chargeOf(api, earlier.id)).status).toBe('PAID');
    expect((await chargeOf(api, later.id)).status).toBe('PAID');
    await round();
    expect(await notedOf(newAccountId)).toEqual([]);
    expect(await notedOf(oldAccountId)).toEqual([]);
  });

  it('agrees with its bank about both', async () => {
    const { differences, bank, here } = await compareToday(newAccountId);
    expect(differences).toEqual([]);
    expect(here).toEqual(bank);
    expect(here).toMatchObject({ payments: 2, cents: 5_000 });
  });

  it("excludes the other account's charges from the new account's recovery", async () => {
    const provider = await app.parts.providers.issuerOf({ provider: newAccountId, devMode: false });
    const today = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + 1_000) };
    expect(
      await lostCharges(em(), { storeId, provider: withPort(provider, 'listing'), payoutKey: null }, today),
    ).toEqual([]);
  });

  it('reports a payment of the other account whose amount differs at the bank', async () => {
    const where = 'where provider_payment_id = ?';
    await em().execute(`update payments set amount_cents = 2499 ${where}`, [earlier.endToEndId]);
    const { differences } = await compareToday(newAccountId);
    await em().execute(`update payments set amount_cents = 2500 ${where}`, [earlier.endToEndId]);
    expect(differences).toMatchObject([
      { problem: 'OTHER_AMOUNT', providerPaymentId: earlier.endToEndId, bankCents: 2_500, hereCents: 2_499 },
    ]);
  });

  it('reports a payment of the other account once the bank no longer lists it', async () => {
    const [row] = await em().execute<{ reference: string }[]>(
      'select provider_reference as reference from charges where id = ?',
      [earlier.id],
    );
    const longAgo = new Date(Date.now() - 100 * DAY_MS);
    await em().nativeUpdate(ProviderAccountEntity, { id: oldAccountId }, { removedAt: longAgo });
    const late = psp.bank.pay(row?.reference ?? '', { whateverItsStatus: true });
    await round();
    expect((await notedOf(newAccountId)).map(({ kind, subjectId }) => [kind, subjectId])).toContainEqual([
      'UNKNOWN_PAYMENT',
      `${newAccountId}/${late.endToEndId}`,
    ]);
  });
});
