import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createKey } from '../../../src/api/keys/api-keys.ts';
import { recordAction } from '../../../src/audit-log/record-action.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { WebhookEntity } from '../../../src/database/entities/webhook.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  givePassword,
  hiddenFields,
  PASSWORD,
  secondFactorOf,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { insertWebhook } from '../../support/rows/build.ts';
import {
  insertCharge,
  insertCheckout,
  insertCustomer,
  insertProduct,
} from '../../support/rows/checkout-rows.ts';
import { countQueries } from '../../support/rows/counted-queries.ts';
import { credit } from '../../support/rows/credit.ts';

let app: TestApp;
let storeId: StoreId;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createTestApp({ secretsKeys: KEYS, starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  owner = await member('owner');
});

const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);
const em = () => app.database.em.fork();
const at = (path: string) => `/dashboard/${storeId}/dev${path}`;
async function member(
  role: 'owner' | 'finance',
  email = `${role}-${crypto.randomUUID()}@example.com`,
): Promise<DashboardUser> {
  const who = await signedIn({ ...app, url: app.api.url }, storeId, role, email);
  await givePassword(app.database);
  return who;
}
const linesOf = (action: string) => em().find(AuditLineEntity, { storeId, action });
const transfer = (who: DashboardUser) =>
  who.submit(at('/new-transfer'), at('/transfers'), {
    amount: '10,00',
    type: 'EMAIL',
    key: 'bia@example.com',
    externalId: 'one',
    password: PASSWORD,
  });

/** Writes lines without their chain, which would take ten seconds. */
function addLines(count: number): Promise<unknown> {
  return em().transactional(async (tx) => {
    await tx.execute("set local session_replication_role = 'replica'");
    await tx.execute(
      `insert into audit_lines
         (id, store_id, actor_kind, action, created_at, position, previous_hash, hash, personal_digest)
       select 'audt_' || number, :storeId, 'SYSTEM', 'noise/made', now() + number * interval '1 millisecond',
         number + 10, '', '', ''
       from generate_series(1, :count) number`,
      { storeId, count },
    );
  });
}

it('exports every line, also those that thousands of others follow', async () => {
  await addLines(10_001);
  const { html } = await owner.get(at('/audit.csv'));
  const lines = html.trimEnd().split('\r\n');
  // The heading, the download itself, and the sign-in.
  expect(lines).toHaveLength(3 + 10_001);
  expect(lines.at(-1)).toContain(',sign-in,');
  const { html: filtered } = await owner.get(at('/audit.csv?action=sign-in'));
  expect(filtered.trimEnd().split('\r\n')).toHaveLength(2);
});

it('exports lines that reorder no text and are no formulas', async () => {
  const now = new Date();
  const description = '=1+1 \u202egnp.exe';
  const given = { storeId, devMode: true, description, permissions: [] };
  const { key } = await createKey(em(), given, now);
  const { id: keyId } = key;
  const done = { subjectId: null, devMode: true, now, details: { note: '\u202egnp.exe' } };
  await em().transactional((tx) =>
    recordAction(
      tx,
      { kind: 'API_KEY', keyId, storeId, address: '' },
      { ...done, action: 'webhooks/create' },
    ),
  );
  const operator = '@op\u2066';
  await em().transactional((tx) =>
    recordAction(tx, { kind: 'CLI', operator, storeId }, { ...done, action: 'keys/create' }),
  );
  for (const path of ['/audit', '/audit.csv']) {
    const { html } = await owner.get(at(path));
    expect(html).toContain('gnp.exe');
    expect(html).not.toMatch(/[\u202e\u2066]/);
  }
  const { html: file } = await owner.get(at('/audit.csv'));
  expect(file).toMatch(/,'=1\+1 gnp\.exe,/);
  expect(file).toMatch(/,'@op,/);
});

it('names the objects of lines with one query per kind, and keeps unknown ids', async () => {
  const shop = { database: app.database, storeId };
  const now = new Date();
  const note = (subjectId: string) =>
    em().transactional((tx) =>
      recordAction(
        tx,
        { kind: 'SYSTEM', storeId },
        { action: 'keys/create', subjectId, devMode: true, now, details: {} },
      ),
    );
  const noteOne = async () => {
    const { key } = await createKey(
      em(),
      { storeId, devMode: true, description: 'Loja virtual', permissions: [] },
      now,
    );
    const { id: webhookId } = await insertWebhook(app.database, {
      storeId,
      endpoint: 'https://example.com/x',
    });
    const customer = await insertCustomer(shop, { name: 'Zélia Prado' });
    const product = await insertProduct(shop, { name: 'Café em grãos' });
    const charge = await insertCharge(shop, await insertCheckout(shop), 'PIX');
    const subjects = [key.id, webhookId, customer.id, product.id, charge.id];
    for (const id of subjects) await note(id);
    return { subjects, lastFour: key.lastFour };
  };
  const { subjects, lastFour } = await noteOne();
  await note('prod_01KAK0Y3PQ8V4T6R2W9ZB5XHMD');
  const queries = await countQueries(app.database);
  const read = async () => {
    const before = queries();
    const { html } = await owner.get(at('/audit'));
    return { html, count: queries() - before };
  };
  await read();
  const few = await read();
  for (const name of [
    `Loja virtual …${lastFour}`,
    'https://example.com/x',
    'Zélia Prado',
    'Café em grãos',
    'Pix · R$',
  ])
    expect(few.html).toContain(`>${name}`);
  for (const id of subjects) expect(few.html).toContain(`<br><code class="code-of">${id}</code>`);
  expect(few.html).toContain('><code>prod_01KAK0Y3PQ8V4T6R2W9ZB5XHMD</code></a>');
  for (const _ of [1, 2]) await noteOne();
  expect((await read()).count).toBe(few.count);
});

it('leaves one line for a transfer that two people send with the same id', async () => {
  await credit(app.database, { storeId, devMode: true }, 100_000);
  const [first, second] = [await transfer(owner), await transfer(await member('finance'))];
  expect(first.location).toBe(second.location);
  const lines = await linesOf('pix/send');
  expect(lines).toMatchObject([{ role: 'owner', details: JSON.stringify({ amount: 1_000 }) }]);
});

it('leaves no line for limits that a key has already', async () => {
  const { key } = await createKey(
    em(),
    { storeId, devMode: true, description: 'x', permissions: [] },
    new Date(),
  );
  const path = at(`/keys/${key.id}/limits`);
  for (const _ of [1, 2]) {
    const { location } = await owner.submit(path, path, { allowedNetworks: '192.0.2.7' });
    expect(location).toContain('/keys');
  }
  const details = { readOnly: false, expiresAt: null, allowedNetworks: ['192.0.2.7'] };
  expect(await linesOf('keys/limit')).toMatchObject([{ details: JSON.stringify(details) }]);
});

it('leaves a line for each change of a webhook, with the changed fields', async () => {
  const given = {
    name: 'x',
    endpoint: 'https://example.com/',
    events: 'transparent.completed',
    secret: 's1',
  };
  await owner.submit(at('/webhooks/new'), at('/webhooks/new'), given);
  const { id } = await em().findOneOrFail(WebhookEntity, { storeId });
  await owner.submit(at(`/webhooks/${id}`), at(`/webhooks/${id}/disable`));
  expect(await linesOf('webhooks/create')).toMatchObject([{ subjectId: id }]);
  expect(await linesOf('webhooks/update')).toMatchObject([
    { subjectId: id, details: JSON.stringify({ fields: ['enabled'] }) },
  ]);
});

it.each([
  '/payments/ID/cancel',
  '/payments/ID/simulate',
  '/payments/ID/refund',
  '/sandbox/pay/ID',
  '/sandbox/dispute',
  '/checkouts/ID/cancel',
  '/subscriptions/ID/cancel',
  '/subscriptions/ID/resume',
  '/webhooks/ID/resend',
  '/deliveries/ID/resend',
])('leaves no line for %s of an unknown object', async (path) => {
  const prefix = { payments: 'pix_char', sandbox: 'pix_char', checkouts: 'bill', subscriptions: 'subs' };
  const kind = path.split('/')[1] ?? '';
  const others = kind === 'webhooks' ? 'webh' : 'log';
  const id = `${prefix[kind as keyof typeof prefix] ?? others}_01KAK0Y3PQ8V4T6R2W9ZB5XHMD`;
  const before = await em().count(AuditLineEntity, { storeId });
  const form = hiddenFields(await owner.get(at('/account')), at('/account/password'));
  const { status } = await owner.post(at(path.replace('ID', id)), { ...form, id, step: 'open' });
  expect(status).not.toBe(500);
  expect(await em().count(AuditLineEntity, { storeId })).toBe(before);
});

it('records a right password whose code never follows', async () => {
  const email = `ana-${crypto.randomUUID()}@example.com`;
  await member('finance', email);
  await secondFactorOf(app.database, email, KEYS);
  const thief = new DashboardUser(app.api.url);
  await thief.post('/dashboard/sign-in', { email, password: PASSWORD, to: '' });
  expect(await linesOf('sign-in/password')).toMatchObject([
    { actorKind: 'PERSON', role: 'finance', address: expect.stringContaining('x') },
  ]);
});
