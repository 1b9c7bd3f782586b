import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dataOf } from '../../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import {
  type DashboardUser,
  givePassword,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { buildPaidPix } from '../../support/rows/payments.ts';
import { insertSubAccount } from '../../support/rows/sub-accounts.ts';
import { eventually } from '../../support/waiting/eventually.ts';

let app: MoneyApp;
let finance: DashboardUser;
let viewer: DashboardUser;
let seller: string;
let payment: string;
beforeAll(async () => {
  app = await createMoneyApp();
  const fixture = { url: app.api.url, database: app.database };
  finance = await signedIn(fixture, app.storeId, 'finance');
  viewer = await signedIn(fixture, app.storeId, 'viewer');
  await givePassword(app.database);
  const body = { name: 'Ana <Calçados>', taxId: '529.982.247-25', externalId: 'seller-42' };
  seller = dataOf<{ id: string }>(await app.api.post('/v2/sub-accounts/create', body)).id;
  const splits = [{ subAccountId: seller, amount: 7_000 }];
  payment = await buildPaidPix(app.api, { amount: 10_000, splits });
});
afterAll(() => app.close());

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const withdraw = (who: DashboardUser, fields: Record<string, string>) =>
  who.submit(at(`/sub-accounts/${seller}`), at(`/sub-accounts/${seller}/withdraw`), {
    externalId: 'october',
    password: PASSWORD,
    ...fields,
  });

it('lists sub-accounts with holder and balance, and finds them', async () => {
  const { text, html } = await finance.get(at('/sub-accounts'));
  expect(text).toMatch(/Ana &lt;Calçados&gt;\s+529\.982\.247-25\s+seller-42\s+R\$ 70,00/);
  expect(html).toContain(at(`/sub-accounts/${seller}`));
  expect((await finance.get(at('/sub-accounts?externalId=nobody'))).text).toContain('Nenhuma subconta');
  expect((await viewer.get(at('/sub-accounts'))).text).toContain('529.***.***-**');
});

it('leads from an empty list to the guide', async () => {
  const { html } = await finance.get(at('/sub-accounts?externalId=nobody'));
  const [, guide = ''] = /href="(\/docs\/[^"]+)"/.exec(html) ?? [];
  expect(guide).toBe('/docs/pt/guides/sub-accounts');
  expect((await finance.get(guide)).status).toBe(200);
});

it('shows where the money is on the pages of payment, statement and sub-account', async () => {
  expect((await finance.get(at(`/payments/${payment}`))).text).toMatch(/Ana &lt;Calçados&gt;\s+R\$ 70,00/);
  const statement = (await finance.get(at('/balance'))).text;
  expect(statement).toMatch(/Para uma subconta\s+Ana &lt;Calçados&gt;/);
  expect(statement).toContain('Além disso, há R$ 70,00 de subcontas, que não é seu.');
  const { text, html } = await finance.get(at(`/sub-accounts/${seller}`));
  expect(text).toMatch(/Parte de um pagamento\s+R\$ 70,00\s+R\$ 70,00/);
  expect(html).toContain(at(`/payments/${payment}`));
});

it('creates a sub-account with the password, and keeps a form with problems', async () => {
  const create = (fields: Record<string, string>) =>
    finance.submit(at('/sub-accounts'), at('/sub-accounts/new'), {
      name: 'Rui Sá',
      externalId: '',
      password: PASSWORD,
      ...fields,
    });
  const taxId = '111.444.777-35';
  const without = await create({ taxId, password: '' });
  expect([without.status, without.text]).toEqual([422, expect.stringContaining('A senha não está certa')]);
  expect(without.html).toContain(`value="${taxId}"`);
  expect((await finance.get(at('/sub-accounts'))).text).not.toContain('Rui Sá');
  const wrong = await create({ taxId: '123' });
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('CPF')]);
  expect(wrong.html).toContain('value="Rui Sá"');
  const made = await create({ taxId });
  expect([made.status, made.location]).toEqual([
    303,
    expect.stringMatching(/\/sub-accounts\/sacc_[0-9A-Z]{26}$/),
  ]);
  expect((await create({ taxId: '11144477735' })).location).toBe(made.location);
});

it('changes a holder with the password, and keeps the form if the name is missing', async () => {
  const { id } = dataOf<{ id: string }>(
    await app.api.post('/v2/sub-accounts/create', { name: 'Old', taxId: '390.533.447-05' }),
  );
  const change = (who: DashboardUser, fields: Record<string, string>) =>
    who.submit(at(`/sub-accounts/${id}`), at(`/sub-accounts/${id}/change`), {
      password: PASSWORD,
      ...fields,
    });
  expect(await change(finance, { name: '', externalId: 'seller-7' })).toMatchObject({
    status: 422,
    html: expect.stringContaining('value="seller-7"'),
  });
  const moved = { name: 'Bia Lima', externalId: 'seller-42', password: 'wrong' };
  expect(await change(finance, moved)).toMatchObject({ status: 422 });
  expect((await finance.get(at(`/sub-accounts/${id}`))).text).not.toContain('Bia Lima');
  expect(await change(finance, { name: 'Bia Lima', externalId: '' })).toMatchObject({ status: 303 });
  expect((await finance.get(at(`/sub-accounts/${id}`))).text).toContain('Bia Lima');
  expect((await viewer.get(at(`/sub-accounts/${id}`))).html).not.toContain('/change"');
});

it('sends money to the holder with the password, and names it on the payout', async () => {
  expect((await withdraw(finance, { amount: '10,00', password: 'wrong' })).status).toBe(422);
  const much = await withdraw(finance, { amount: '70,01' });
  expect([much.status, much.text]).toEqual([422, expect.stringContaining('R$ 70,00')]);
  expect(await withdraw(finance, { amount: '50,00', description: 'Outubro' })).toMatchObject({ status: 303 });
  await eventually(async () => {
    const { text } = await finance.get(at(`/sub-accounts/${seller}`));
    expect(text).toMatch(/Enviado ao titular\s+−?-?R\$ 50,00\s+R\$ 20,00/);
  });
  const { id } = dataOf<{ id: string }>(await app.api.get('/v2/pix/get?externalId=october'));
  const payout = await finance.get(at(`/payouts/${id}`));
  expect(payout.text).toContain('Ana &lt;Calçados&gt;');
  expect(payout.html).toContain(at(`/sub-accounts/${seller}`));
});

it('offers and takes no form from people who may not send money', async () => {
  expect((await viewer.get(at(`/sub-accounts/${seller}`))).html).not.toContain('/withdraw"');
  const { status } = await viewer.post(at(`/sub-accounts/${seller}/withdraw`), { amount: '1,00' });
  expect(status).toBe(403);
});

it("answers 404 for another store's sub-account", async () => {
  const { storeId } = await app.anotherStore();
  const other = await insertSubAccount(app.database, { storeId, devMode: true });
  expect((await finance.get(at(`/sub-accounts/${other}`))).status).toBe(404);
});
