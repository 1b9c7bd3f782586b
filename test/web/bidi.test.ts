import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { recordAction } from '../../src/audit-log/record-action.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import { UserEntity } from '../../src/database/entities/user.ts';
import { inviteByMail } from '../../src/identity/invitations.ts';
import { userOf } from '../../src/identity/users.ts';
import { InvitationMailer } from '../../src/mail/invitation-mailer.ts';
import { NoticeMailer } from '../../src/mail/notice-mailer.ts';
import { PayerCodeMailer } from '../../src/mail/payer-code-mailer.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { signedIn } from '../support/dashboard/dashboard-user.ts';
import { decodedMail, startMailServer } from '../support/outside/mail-server.ts';
import {
  insertCharge,
  insertCheckout,
  insertCustomer,
  insertProduct,
  itemOf,
  paid,
} from '../support/rows/checkout-rows.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { PortalReader } from '../support/web/portal-reader.ts';

/** One of each kind: a mark, an embedding, an override, an isolate. */
const CONTROLS = '\u200f\u202a\u202e\u2067';
const ANY_CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => new Date() });
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const EMAIL = 'ana@example.com';

/** A store, a payment and a customer with controls in their names, and the path of the customer's portal. */
async function portalOf({ devMode }: { devMode: boolean }) {
  await em().nativeUpdate(StoreEntity, { id: app.storeId }, { name: `Loja ${CONTROLS}Azul` });
  const customer = await insertCustomer(shop(), { devMode, email: EMAIL, name: `Ana ${CONTROLS}Souza` });
  const product = await insertProduct(shop(), { name: `Camisa ${CONTROLS}00,1 $R` });
  const checkout = await insertCheckout(shop(), { customerId: customer.id, items: [itemOf(product)] });
  await insertCharge(shop(), checkout, 'PIX', { customerId: customer.id, ...paid(10_000) });
  return { portal: `/portal/${customer.id}`, ana: new PortalReader(app) };
}

const shop = () => ({ database: app.database, storeId: app.storeId });

it('shows payers no bidi controls of a store or product', async () => {
  await app.database.em
    .fork()
    .nativeUpdate(StoreEntity, { id: app.storeId }, { name: `Loja ${CONTROLS}Azul` });
  const product = await insertProduct(shop(), { name: `Camisa ${CONTROLS}00,1 $R` });
  const { id } = await insertCheckout(shop(), {
    items: [itemOf(product)],
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  const page = await app.api.call(`/pay/${id}`, { key: null });
  expect(page.status).toBe(200);
  expect(page.text).toContain('Loja Azul');
  expect(page.text).toContain('Camisa 00,1 $R');
  expect(page.text).not.toMatch(ANY_CONTROL);
});

it('shows no bidi controls of a store, product or customer in the portal', async () => {
  const { portal, ana } = await portalOf({ devMode: true });
  const home = await ana.signIn(portal, EMAIL);
  for (const text of [home.text, (await new PortalReader(app).get(portal)).text]) {
    expect(text).toContain('Loja Azul');
    expect(text).not.toMatch(ANY_CONTROL);
  }
  expect(home.text).toContain('Camisa 00,1 $R');
});

it('mails no bidi controls', async () => {
  await using server = await startMailServer();
  const config = { smtpUrl: server.smtpUrl, from: 'loja@example.com' };
  const { portal, ana } = await portalOf({ devMode: false });
  await ana.post(portal, { email: EMAIL });
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  const { id: inviterId } = await em().findOneOrFail(UserEntity, { email: 'owner@example.com' });
  const member = { userId: inviterId, storeId: app.storeId, role: 'owner' } as const;
  await em().nativeUpdate(UserEntity, { id: inviterId }, { name: `Eva ${CONTROLS}Reis` });
  const now = new Date();
  await em().transactional(async (tx) => {
    const { id: userId } = await userOf(tx, 'bia@example.com', now);
    await inviteByMail(tx, { ...member, userId, inviterId, language: 'pt-BR', createdAt: now });
    const actor = { kind: 'PERSON', ...member, address: '192.0.2.1', submission: null } as const;
    await recordAction(tx, actor, { action: 'keys/create', subjectId: 'key_1', devMode: false, now });
  });
  for (const Mailer of [PayerCodeMailer, InvitationMailer, NoticeMailer]) {
    const mailer = new Mailer(app.database, app.api.url, config, SILENT_LOG);
    while ((await mailer.sendDue(new Date())) > 0);
    await mailer.close();
  }
  const texts = server.mails.map(decodedMail);
  expect(texts).toHaveLength(3);
  for (const text of texts) {
    expect(text).toContain('Loja Azul');
    expect(text).not.toMatch(ANY_CONTROL);
  }
});

it('removes bidi controls on the dashboard, and keeps them in the API', async () => {
  const name = `Ana ${CONTROLS}Souza`;
  const customer = await insertCustomer(shop(), { name });
  const owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  const page = await owner.get(`/dashboard/${app.storeId}/dev/customers/${customer.id}`);
  expect(page.html).toContain('Ana Souza');
  expect(page.html).not.toMatch(ANY_CONTROL);
  const kept = await app.api.get(`/v2/customers/get?id=${customer.id}`);
  expect(kept.json.data).toMatchObject({ name });
});
