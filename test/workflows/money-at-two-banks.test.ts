import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import { AuditLineEntity } from '../../src/database/entities/audit-line.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { ProviderAccountEntity } from '../../src/database/entities/provider-account.ts';
import type { ChargeId, ProviderAccountId, StoreId } from '../../src/domain/ids.ts';
import type { ProviderUse } from '../../src/domain/provider-use.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { openBankAccount, pauseReconciliation } from '../support/api/bank-account.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { run } from '../support/cli/command.ts';
import { chargeOf } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let paidBank: Psp;
let sendingBank: Psp;
let storeId: StoreId;
let paidAt: string;
let sendsFrom: string;
let api: ApiClient;

beforeAll(async () => {
  [app, paidBank, sendingBank] = await Promise.all([
    createMoneyApp({ secretsKeys: [randomBytes(32).toString('base64')] }),
    startPsp({ profile: 'efi' }),
    startPsp({ profile: 'efi' }),
  ]);
  ({ storeId } = await app.anotherStore());
  api = await app.clientWith({ storeId, devMode: false });
  paidAt = await add(paidBank, 'PIX');
  sendsFrom = await add(sendingBank, 'PAYOUT');
  // Efí sends money only from a key that has a webhook. Nothing listens at this URL.
  const key = String(sendingBank.account.settings.pixKey);
  sendingBank.bank.state.webhooks[key] = {
    key,
    url: 'http://127.0.0.1:9',
    createdAt: '',
    withoutCertificate: true,
  };
  await pauseReconciliation(app);
});
afterAll(async () => {
  await app.close();
  await Promise.all([paidBank.close(), sendingBank.close()]);
});

const em = () => app.database.em.fork();

async function add(bank: Psp, ...uses: ProviderUse[]): Promise<string> {
  return (await openBankAccount(app, bank, storeId, { uses })).id;
}

async function paid(): Promise<ChargeId> {
  const body = { method: 'PIX', data: { amount: 10_000 } };
  const { id } = dataOf<{ id: ChargeId }>(await api.post('/v2/transparents/create', body));
  paidBank.bank.pay(id.slice(-26));
  await takeListed(app.parts, new Date(Date.now() + 1_000));
  expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' });
  return id;
}

async function send(amount: number, externalId: string) {
  const pix = { type: 'EMAIL', key: 'ana@example.com' };
  return api.post('/v2/pix/send', { amount, externalId, pix });
}

const accounts = async () => dataOf<{ accounts: object[] }>(await api.get('/v2/store/get')).accounts;
const heldAt = async (wanted: string) =>
  dataOf<{ accounts: { id: string; held: number }[] }>(await api.get('/v2/store/get')).accounts.find(
    ({ id }) => id === wanted,
  )?.held ?? 0;

/** A payment as the bank notifies it, with its refunds. */
function notified(endToEndId: string) {
  const { txid, paidAt: horario, refunds } = paidBank.bank.findPayment(endToEndId);
  const devolucoes = refunds.map(({ id, kind: natureza, status }) => ({
    id,
    rtrId: 'D1',
    valor: '100.00',
    natureza,
    status,
  }));
  return { endToEndId, txid, valor: '100.00', horario, devolucoes };
}

const cli = async (args: string) => {
  const [row] = await em().execute<{ name: string }[]>('select current_database() as name');
  const url = Object.assign(new URL(process.env.RECEBE_TEST_DATABASE_URL ?? ''), {
    pathname: `/${row?.name}`,
  });
  return run(args, { DATABASE_URL: url.href, RECEBE_OPERATOR: 'ana' });
};

it('sends money that was paid at another bank once its move is recorded', async () => {
  const [refunded] = [await paid(), await paid()];
  expect(await send(5_000, 'early')).toMatchObject({
    status: 422,
    json: { code: 'INSUFFICIENT_FUNDS_AT_ACCOUNT' },
  });

  const move = `accounts record-move --from ${paidAt} --to ${sendsFrom} --amount 8000 --reference E2E1 --yes`;
  expect(await cli(move)).toMatchObject({ code: 0, out: expect.stringContaining('Recorded move_') });
  expect(await cli(move)).toMatchObject({ code: 0, out: expect.stringContaining('was recorded before') });
  expect(await cli(move.replace('8000', '99999999').replace('E2E1', 'E2E2'))).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--amount: must be at most 11840 cents'),
  });
  const lines = await em().find(AuditLineEntity, { storeId, action: 'accounts/record-move' });
  expect(lines).toMatchObject([{ actorKind: 'CLI', operator: 'ana' }]);

  expect(await send(5_000, 'later')).toMatchObject({ status: 200 });
  await eventually(async () => {
    const [sent] = dataOf<{ status: string }[]>(await api.get('/v2/pix/list'));
    expect(sent).toMatchObject({ status: 'COMPLETE' });
  });
  await api.post('/v2/transparents/refund', { id: refunded });
  await eventually(async () => expect(await chargeOf(api, refunded)).toMatchObject({ status: 'REFUNDED' }));

  expect(await accounts()).toMatchObject([
    { id: paidAt, profile: 'efi', held: 20_000 - 8_000 - 10_000, available: 20_000 - 160 - 8_000 - 9_920 },
    { id: sendsFrom, held: 8_000 - 5_000, available: 3_000 },
  ]);
  const listed = await cli('accounts list --json');
  expect(JSON.parse(listed.out)).toMatchObject([
    { id: paidAt, heldCents: 2_000 },
    { id: sendsFrom, heldCents: 3_000, availableCents: 3_000 },
  ]);
  expect(await verifyLedger(em())).toMatchObject({ discrepancies: [] });
});

it('books a MED and a returned payment at the account that was paid', async () => {
  const before = await heldAt(paidAt);
  const id = await paid();
  paidBank.bank.pay(id.slice(-26), { whateverItsStatus: true });
  await takeListed(app.parts, new Date(Date.now() + 1_000));
  await eventually(async () => {
    const outcomes = (await em().find(PaymentEntity, { chargeId: id })).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['ACCEPTED', 'RETURNED']);
  });
  expect(await heldAt(paidAt)).toBe(before + 10_000);

  const { providerPaymentId } = await em().findOneOrFail(PaymentEntity, {
    chargeId: id,
    outcome: 'ACCEPTED',
  });
  paidBank.bank.takeBack(providerPaymentId, 'MED_FRAUDE');
  const account = await em().findOneOrFail(ProviderAccountEntity, { id: paidAt as ProviderAccountId });
  const pix = [notified(providerPaymentId)];
  expect(await app.api.post(notificationPath(account, app.parts.secretsKeys), { pix })).toMatchObject({
    status: 200,
  });
  await eventually(async () => expect(await chargeOf(api, id)).toMatchObject({ status: 'REFUNDED' }));

  expect(await heldAt(paidAt)).toBe(before);
  const rows = await em().execute<{ kind: string }[]>(
    `select distinct kind from ledger_movements where provider = ? and kind ~ '^(RETURN|DISPUTE)' order by kind`,
    [paidAt],
  );
  expect(rows.map(({ kind }) => kind)).toEqual([
    'DISPUTE_LOST',
    'DISPUTE_OPENED',
    'RETURN_RESERVED',
    'RETURN_SETTLED',
  ]);
  expect(await verifyLedger(em())).toMatchObject({ discrepancies: [] });
});
