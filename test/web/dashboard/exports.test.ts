import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import { DeliveryAttemptEntity } from '../../../src/database/entities/delivery.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/role.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { insertDelivery, insertWebhook } from '../../support/rows/build.ts';
import { insertCheckout, insertCustomer, insertProduct, itemOf } from '../../support/rows/checkout-rows.ts';
import { fill } from '../../support/rows/fill.ts';
import { insertSubscription } from '../../support/rows/subscribed-rows.ts';

const SESSION_COOKIE = 'recebe_session';
/** More than the API returns in one file. */
const CHARGES = 10_600;

let app: TestApp;
let storeId: StoreId;
let paidId: string;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createTestApp();
  ({ id: storeId } = await createTestStore(app.database));
  paidId = await paidInOctober();
  owner = await signedInAs('owner');
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const at = (path: string) => `/dashboard/${storeId}/dev${path}`;
const signedInAs = (role: Role) =>
  signedIn({ url: app.api.url, database: app.database }, storeId, role, `${role}@example.com`);

/** Many charges, and a payment of 1.234,56 in the last minute of October. */
async function paidInOctober(): Promise<string> {
  await fill(app.database, [{ storeId, charges: CHARGES }]);
  const { id } = await em().findOneOrFail(ChargeEntity, { storeId, status: 'PAID' });
  await em().nativeUpdate(
    ChargeEntity,
    { storeId },
    { customerId: null, checkoutId: null, description: null },
  );
  const now = new Date();
  const { id: customerId } = await insertCustomer(
    { database: app.database, storeId },
    { name: '=Ana; "Souza"', taxId: '52998224725', createdAt: now, updatedAt: now },
  );
  const change = {
    customerId,
    amountCents: 123_456,
    paidAmountCents: 123_456,
    platformFeeCents: 456,
    reversedCents: 0,
    reversedFeeCents: 0,
    description: 'Vestido São João',
    paidAt: new Date('2026-11-01T02:59:00Z'),
  };
  await em().nativeUpdate(ChargeEntity, { id }, change);
  return id;
}

const OCTOBER = '/exports/file?sheet=paid&from=2026-10-01&to=2026-10-31';
const october = () => at(OCTOBER);

describe('a sheet for people', () => {
  it('shows decimal commas, semicolons and local times in Portuguese', async () => {
    const file = await owner.get(october(), { 'Accept-Language': 'pt-BR' });
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="pagamentos-2026-10-01_2026-10-31.csv"',
    );
    expect(file.html.startsWith('Pago em;Cliente;CPF ou CNPJ;')).toBe(true);
    const [, line = ''] = file.html.split('\r\n');
    expect(line).toContain(`31/10/2026 23:59;"'=Ana; ""Souza""";529.982.247-25;ana@example.com;`);
    expect(line).toContain(';Vestido São João;');
    expect(line).toContain(';1234,56;');
    expect(line).toContain(';1230,00;');
    expect(line).toContain(paidId);
  });

  it('leaves out bidi controls of a name, and escapes the formula they hid', async () => {
    const name = '\u202e=HYPERLINK("x")\u2066';
    await insertCustomer({ database: app.database, storeId }, { name, email: 'rlo@example.com' });
    const { html } = await owner.get(at('/exports/file?sheet=customers'));
    expect(html).toContain(`"'=HYPERLINK(""x"")"`);
    expect(html).not.toMatch(/[\u202e\u2066]/);
  });

  it('begins with the mark by which Excel knows UTF-8', async () => {
    const cookie = `${SESSION_COOKIE}=${owner.cookie(SESSION_COOKIE)}`;
    const answer = await fetch(new URL(october(), app.api.url), { headers: { cookie } });
    const [one, two, three] = new Uint8Array(await answer.arrayBuffer());
    expect([one, two, three]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it('shows decimal points and commas in English', async () => {
    const file = await owner.get(october(), { 'Accept-Language': 'en' });
    const [heading, line] = file.html.split('\r\n');
    expect(heading).toContain('Paid at,Customer,Tax id,');
    expect(line).toContain('2026-10-31 23:59,');
    expect(line).toContain(',1234.56,');
  });

  it('hides tax ids from developers', async () => {
    const developer = await signedInAs('developer');
    for (const path of [october(), at('/exports/file?sheet=customers')]) {
      const { html } = await developer.get(path);
      expect(html).toContain('529.***.***-**');
      expect(html).not.toContain('529.982.247-25');
    }
  });

  it('names the products of a checkout', async () => {
    const checkoutId = `bill_${storeId.slice(-20)}`;
    await em().execute(
      `insert into checkouts (id, store_id, dev_mode, frequency, status, amount_cents, items, methods, coupons, metadata,
         max_installments, created_at, updated_at)
       values (?, ?, true, 'ONE_TIME', 'PAID', 100, ?, '{PIX}', '{}', '{}', 1, now(), now())`,
      [
        checkoutId,
        storeId,
        JSON.stringify([
          { productId: 'prod_1', name: 'Caneca', quantity: 2, unitPriceCents: 50 },
          { productId: 'prod_2', name: 'Prato', quantity: 1, unitPriceCents: 50 },
        ]),
      ],
    );
    await em().nativeUpdate(ChargeEntity, { id: paidId as never }, { checkoutId: checkoutId as never });
    const { html } = await owner.get(october());
    expect(html).toContain(';"2 × Caneca, Prato";');
  });

  it('holds every row of a list that is longer than one page of the API', async () => {
    for (const path of ['/exports/file?sheet=payments', '/payments?format=csv', '/payments?format=people']) {
      const { html } = await owner.get(at(path));
      expect({ path, lines: html.split('\r\n').length }).toEqual({ path, lines: CHARGES + 2 });
    }
  });

  it('shows the state of a subscription as the list does', async () => {
    const shop = { database: app.database, storeId };
    const { id: subscriptionId, checkoutId } = await insertSubscription(shop, { failedAttempts: 1 });
    await em().nativeUpdate(CheckoutEntity, { id: checkoutId }, { subscriptionId });
    const { html } = await owner.get(at('/exports/file?sheet=subscriptions'), { 'Accept-Language': 'en' });
    const [heading, line] = html.split('\r\n');
    expect(heading).toContain(',State,');
    expect(line).toContain(',Past due,');
  });

  it('leaves a line in the audit log', async () => {
    await owner.get(october());
    const [line] = await em().find(AuditLineEntity, { storeId, action: 'exports/download' });
    expect(JSON.parse(line?.details ?? '')).toEqual({ sheet: 'paid', from: '2026-10-01', to: '2026-10-31' });
  });

  it.each([
    '/exports/file?sheet=paid&from=Ana+529.982.247-25',
    '/payments?format=csv&createdFrom=Ana+529.982.247-25',
    '/payments?format=people&createdTo=Ana+529.982.247-25',
  ])('records no text of the address %s in the audit log', async (path) => {
    const count = () => em().count(AuditLineEntity, { storeId, action: 'exports/download' });
    const before = await count();
    expect((await owner.get(at(path))).status).toBe(400);
    expect(await count()).toBe(before);
  });

  it('leaves a line for each CSV for programs, and for the audit log itself', async () => {
    const sheets = async () => {
      const lines = await em().find(AuditLineEntity, { storeId, action: 'exports/download' });
      return lines.map(({ details }) => JSON.parse(details ?? '') as { sheet: string });
    };
    const { length } = await sheets();
    await owner.get(at('/payments?format=csv&createdFrom=2026-10-01'));
    await owner.get(at('/audit.csv'));
    expect((await sheets()).slice(length)).toEqual([
      { sheet: 'payments.csv', from: '2026-10-01', to: null },
      { sheet: 'audit.csv', from: null, to: null },
    ]);
  });
});

it('makes every sheet, and refuses an unknown one and a wrong day', async () => {
  const { html } = await owner.get(at('/exports'));
  const sheets = [...html.matchAll(/<option value="(\w+)"/g)].map(([, id]) => id);
  expect(sheets).toHaveLength(12);
  for (const sheet of sheets) {
    const file = await owner.get(at(`/exports/file?sheet=${sheet}&from=2026-10-01`));
    expect({ sheet, status: file.status }).toEqual({ sheet, status: 200 });
    expect(file.headers.get('content-type')).toContain('text/csv');
  }
  expect((await owner.get(at('/exports/file?sheet=secrets'))).status).toBe(404);
  expect((await owner.get(at('/exports/file?sheet=paid&from=yesterday'))).status).toBe(400);
});

describe('the files of checkouts, payment links, products and deliveries', () => {
  let paths: Readonly<Record<'checkouts' | 'links' | 'products' | 'deliveries', string>>;
  beforeAll(async () => {
    const shop = { database: app.database, storeId };
    const product = await insertProduct(shop, { name: '=cmd()', description: '+1; "x"', priceCents: 1_990 });
    const items = [itemOf(product, 2)];
    await insertCheckout(shop, { items, externalId: '@once' });
    const link = { frequency: 'MULTIPLE_PAYMENTS', externalId: '-link', expiresAt: null } as const;
    await insertCheckout(shop, { ...link, items: [itemOf(product, 1)] });
    const webhook = await insertWebhook(app.database, { storeId, name: '=Estoque' });
    const failed = await insertDelivery(app.database, webhook, { status: 'FAILED', attempts: 1 });
    await em().insert(DeliveryAttemptEntity, {
      ...{ deliveryId: failed.id, attemptKey: 'run-1', startedAt: new Date(), durationMs: 5 },
      ...{ statusCode: null, responseExcerpt: '', error: 'connection refused' },
    });
    await insertDelivery(app.database, webhook, { status: 'DELIVERED' });
    paths = {
      checkouts: '/checkouts?externalId=@once',
      links: '/checkouts?kind=links&status=PENDING',
      products: '/products?status=',
      deliveries: `/webhooks/${webhook.id}?status=FAILED`,
    };
  });

  const linesOf = (html: string) => html.replace('\uFEFF', '').trim().split('\r\n');

  it.each([
    ['checkouts', ["'@once", '2 × =cmd()', '39,80']],
    ['links', ["'-link", "'=cmd()", 'Link ativo', '19,90']],
    ['products', ["'=cmd()", '19,90', `"'+1; ""x"""`]],
    ['deliveries', ["'=Estoque", 'Falhou', 'conexão recusada']],
  ] as const)('makes a sheet of the %s in the filter, with no formula in it', async (name, expected) => {
    const page = await owner.get(at(paths[name]), { 'Accept-Language': 'pt-BR' });
    expect(page.html).toContain('format=people');
    const { html } = await owner.get(at(`${paths[name]}&format=people`), { 'Accept-Language': 'pt-BR' });
    for (const part of expected) expect(html).toContain(part);
    expect(html).not.toMatch(/(?:^|;)"?[=+@]/m);
    if (name !== 'products') expect(linesOf(html)).toHaveLength(2);
  });

  it.each([
    ['checkouts', 'checkouts', 'id,frequency,status,amount,', ',PENDING,3980,'],
    ['links', 'payment-links', 'id,frequency,status,amount,', ',MULTIPLE_PAYMENTS,PENDING,1990,'],
    ['products', 'products', 'id,externalId,name,description,', `,'=cmd(),`],
    ['deliveries', 'deliveries', 'id,webhookId,event,eventId,', ',FAILED,'],
  ] as const)('makes a CSV for programs of the %s and records it', async (name, file, heading, part) => {
    const answer = await owner.get(at(`${paths[name]}&format=csv`));
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${file}.csv"`);
    const [first = '', ...lines] = linesOf(answer.html);
    expect(first.startsWith(heading)).toBe(true);
    expect(lines.join('\n')).toContain(part);
    expect(answer.html).not.toMatch(/(?:^|,)"?[=+@]/m);
    const audit = await em().find(AuditLineEntity, { storeId, action: 'exports/download' });
    const sheets = audit.map(({ details }) => (JSON.parse(details ?? '') as { sheet: string }).sheet);
    expect(sheets).toContain(`${file}.csv`);
  });
});
