import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { type Customer, CustomerEntity } from '../../../src/database/entities/customer.ts';
import { EarlierEmailEntity } from '../../../src/database/entities/earlier-email.ts';
import { EventEntity } from '../../../src/database/entities/event.ts';
import { savePortalSettings } from '../../../src/database/portal-settings.ts';
import { DEFAULT_PORTAL_SETTINGS } from '../../../src/domain/portal-settings.ts';
import { createLogger } from '../../../src/log.ts';
import { PayerCodeMailer } from '../../../src/mail/payer-code-mailer.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { startMailServer } from '../../support/outside/mail-server.ts';
import { insertWebhook } from '../../support/rows/build.ts';
import {
  insertCharge,
  insertCheckout,
  insertCustomer,
  NOON,
  paid,
} from '../../support/rows/checkout-rows.ts';
import { csrfOf, PortalReader, shownCode } from '../../support/web/portal-reader.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON, starter: { startSoon: () => undefined } });
  await insertWebhook(app.database, {
    storeId: app.storeId,
    endpoint: 'https://example.com/hooks',
    events: ['customer.updated'],
  });
});
afterAll(() => app.close());
beforeEach(() => allow(true));

const em = () => app.database.em.fork();
const emailOf = async ({ id }: Pick<Customer, 'id'>) =>
  (await em().findOneOrFail(CustomerEntity, { id }, { disableIdentityMap: true })).email;

async function allow(changesDetails: boolean, devMode = true): Promise<void> {
  const settings = { ...DEFAULT_PORTAL_SETTINGS, changesDetails };
  await em().transactional((tx) => savePortalSettings(tx, { storeId: app.storeId, devMode }, settings, NOON));
}

let customers = 0;

/** A customer who is signed in, and a function that requests a code for another address. */
async function signedInCustomer() {
  customers += 1;
  const email = `ana${customers}@example.com`;
  const newEmail = `ana.souza${customers}@example.com`;
  const customer = await insertCustomer(app, { email, name: 'Ana' });
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  await reader.signIn(path, email);
  const csrf = csrfOf((await reader.get(`${path}/details/email`)).text);
  const request = (typed = newEmail) => reader.post(`${path}/details/email`, { csrf, email: typed });
  const enter = (code: string) => reader.post(`${path}/details/email/code`, { csrf, code });
  /** The code that dev mode shows for the new address. */
  const codeFor = async (typed = newEmail) => {
    await request(typed);
    return shownCode((await reader.get(`${path}/details/email/code`)).text) ?? '';
  };
  return { customer, email, newEmail, path, reader, csrf, request, enter, codeFor };
}

/** A payment that a payer made with an address, on a page of the store. */
async function paymentWith({ id: customerId }: Customer, payerEmail: string) {
  const charged = { customerId, payerEmail, customerNamedBy: 'PAYER' as const, ...paid(10_000) };
  return insertCharge(app, await insertCheckout(app), 'PIX', charged);
}

describe('a change of the address', () => {
  it('proves the new address, and writes one event and one audit line without it', async () => {
    const { customer, newEmail, path, reader, request, enter, codeFor } = await signedInCustomer();
    expect(await request()).toMatchObject({ status: 303, location: `${path}/details/email/code` });
    const code = await codeFor();
    expect(await enter(code)).toMatchObject({ status: 303, location: `${path}?details=email#data` });
    expect(await emailOf(customer)).toBe(newEmail);
    const events = await em().find(EventEntity, { customerId: customer.id, name: 'customer.updated' });
    expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([
      { changed: ['email'], changedBy: 'CUSTOMER' },
    ]);
    const lines = await em().find(AuditLineEntity, { subjectId: customer.id, actorKind: 'PAYER' });
    expect(lines.map(({ action, details }) => [action, details])).toEqual([['customers/update', null]]);
    expect((await reader.get(`${path}?details=email`)).text).toContain('Your e-mail was changed');
  });

  it('ends the sessions of the old address, and gives its browser a new one', async () => {
    const { email, newEmail, path, reader, enter, codeFor } = await signedInCustomer();
    const phone = new PortalReader(app);
    await phone.signIn(path, email);
    const before = new Map(reader.cookies);
    await enter(await codeFor());
    expect((await reader.get(path)).text).toContain('Your data');
    expect((await phone.get(path)).text).not.toContain('Your data');
    const copied = new PortalReader(app);
    for (const [name, value] of before) copied.cookies.set(name, value);
    expect((await copied.get(path)).text).not.toContain('Your data');
    expect((await new PortalReader(app).signIn(path, newEmail)).text).toContain('Your data');
  });

  it('shows the payments that carry the old address, over two changes', async () => {
    const { customer, email, newEmail, path, reader } = await signedInCustomer();
    const [own, strange] = [
      await paymentWith(customer, email.toUpperCase()),
      await paymentWith(customer, 'eve@example.com'),
    ];
    const third = `third.${newEmail}`;
    for (const each of [newEmail, third]) await reader.changeEmail(path, each);
    expect(await emailOf(customer)).toBe(third);
    const { text } = await reader.get(path);
    expect(text).toContain(own.id);
    expect(text).not.toContain(strange.id);
  });

  it('shows none of them to an address that the merchant enters later', async () => {
    const { customer, email, path, enter, codeFor } = await signedInCustomer();
    const own = await paymentWith(customer, email);
    await enter(await codeFor());
    await em().nativeUpdate(CustomerEntity, { id: customer.id }, { email: 'other@example.com' });
    const { text } = await new PortalReader(app).signIn(path, 'other@example.com');
    expect(text).not.toContain(own.id);
  });

  it('changes it once when the right code arrives five times at once', async () => {
    const { customer, enter, codeFor } = await signedInCustomer();
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 5 }, () => enter(code)));
    expect(
      answers.filter(({ status, location }) => status === 303 && location.includes('email')),
    ).toHaveLength(1);
    const lines = await em().count(AuditLineEntity, { subjectId: customer.id, actorKind: 'PAYER' });
    expect(lines).toBe(1);
  });

  it('forgets the earlier address when the customer is deleted', async () => {
    const { customer, enter, codeFor } = await signedInCustomer();
    await enter(await codeFor());
    const { id: customerId } = customer;
    expect(await em().count(EarlierEmailEntity, { customerId })).toBe(1);
    await app.api.post('/v2/customers/delete', { id: customerId });
    expect(await em().count(EarlierEmailEntity, { customerId })).toBe(0);
    expect(await em().count(ChargeEntity, { customerId, payerEmail: { $ne: null } })).toBe(0);
  });
});

describe('a refused change of the address', () => {
  it.each([
    ['a malformed address', 'ana', 'Write an e-mail address'],
    ['the present address', 'ANA', 'This is your e-mail already'],
  ])('names %s and sends no code', async (_, typed, problem) => {
    const { email, path, reader, request } = await signedInCustomer();
    const wrong = await request(typed === 'ANA' ? email.toUpperCase() : typed);
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining(problem)]);
    expect(await reader.get(`${path}/details/email/code`)).toMatchObject({ status: 303 });
  });

  it('keeps the address after five wrong codes', async () => {
    const { customer, email, enter, codeFor } = await signedInCustomer();
    const code = await codeFor();
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries += 1) expect((await enter(wrong)).status).toBe(422);
    expect((await enter(code)).status).toBe(422);
    expect(await emailOf(customer)).toBe(email);
  });

  it('takes no code of a sign-in, and no sign-in takes its code', async () => {
    const { customer, email, path, reader, codeFor } = await signedInCustomer();
    const code = await codeFor();
    const cookie = reader.cookies.get('recebe_portal_email') ?? '';
    const thief = new PortalReader(app);
    thief.cookies.set('recebe_portal_code', cookie);
    expect((await thief.post(`${path}/code`, { code })).status).toBe(422);
    await reader.post(path, { email });
    const signInCode = shownCode((await reader.get(`${path}/code`)).text) ?? '';
    reader.cookies.set('recebe_portal_email', reader.cookies.get('recebe_portal_code') ?? '');
    const csrf = csrfOf((await reader.get(`${path}/details/email`)).text);
    const entered = await reader.post(`${path}/details/email/code`, { csrf, code: signInCode });
    expect(entered.status).toBe(422);
    expect(await emailOf(customer)).toBe(email);
  });

  it('refuses a code that another customer has requested', async () => {
    const [ana, bia] = [await signedInCustomer(), await signedInCustomer()];
    const code = await bia.codeFor();
    ana.reader.cookies.set('recebe_portal_email', bia.reader.cookies.get('recebe_portal_email') ?? '');
    expect((await ana.enter(code)).status).toBe(422);
    expect(await emailOf(ana.customer)).toBe(ana.email);
  });

  it('asks the settings of the store when the code arrives', async () => {
    const { customer, email, enter, codeFor, request } = await signedInCustomer();
    const code = await codeFor();
    await allow(false);
    expect(await enter(code)).toMatchObject({ status: 409 });
    expect(await request()).toMatchObject({ status: 409 });
    expect(await emailOf(customer)).toBe(email);
  });

  it('leads to the door if the merchant has changed the address meanwhile', async () => {
    const { customer, path, enter, codeFor } = await signedInCustomer();
    const code = await codeFor();
    await em().nativeUpdate(CustomerEntity, { id: customer.id }, { email: 'other@example.com' });
    expect(await enter(code)).toMatchObject({ status: 303, location: path });
    expect(await emailOf(customer)).toBe('other@example.com');
  });

  it('returns 429 for the fourth code within 15 minutes', async () => {
    const { request } = await signedInCustomer();
    for (let sent = 0; sent < 3; sent += 1) expect((await request()).status).toBe(303);
    expect((await request()).status).toBe(429);
  });
});

describe('a change of the address in production', () => {
  it('writes to the old address before it mails a code to the new one', async () => {
    await using server = await startMailServer();
    const mailer = new PayerCodeMailer(
      app.database,
      app.api.url,
      { smtpUrl: server.smtpUrl, from: 'portal@example.com' },
      createLogger('silent', { write: () => undefined }),
    );
    const deliver = async () => {
      while ((await mailer.sendDue(NOON)) > 0);
      return /is (\d{6})\./.exec(server.mails.at(-1) ?? '')?.[1] ?? '';
    };
    await allow(true, false);
    const customer = await insertCustomer(app, { devMode: false, email: 'old@example.com' });
    const path = `/portal/${customer.id}`;
    const reader = new PortalReader(app);
    await reader.post(path, { email: 'old@example.com' });
    await reader.post(`${path}/code`, { code: await deliver() });
    const csrf = csrfOf((await reader.get(`${path}/details/email`)).text);
    await reader.post(`${path}/details/email`, { csrf, email: 'new@example.com' });
    const page = await reader.get(`${path}/details/email/code`);
    expect([page.text.includes('new@example.com'), shownCode(page.text)]).toEqual([true, null]);
    const code = await deliver();
    await mailer.close();
    expect(server.mails.map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim())).toEqual([
      'old@example.com',
      'old@example.com',
      'new@example.com',
    ]);
    expect(server.mails[1]).toContain('about to change');
    expect(server.mails[1]).not.toContain(code);
    await reader.post(`${path}/details/email/code`, { csrf, code });
    expect(await emailOf(customer)).toBe('new@example.com');
  });
});
