import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { type Customer, CustomerEntity } from '../../../src/database/entities/customer.ts';
import { EarlierEmailEntity } from '../../../src/database/entities/earlier-email.ts';
import { EventEntity } from '../../../src/database/entities/event.ts';
import { PayerSignInEntity } from '../../../src/database/entities/payer-sign-in.ts';
import { presentEmailOf } from '../../../src/database/present-email.ts';
import { DEFAULT_PORTAL_SETTINGS } from '../../../src/domain/portal-settings.ts';
import { createLogger } from '../../../src/log.ts';
import { PayerCodeMailer } from '../../../src/mail/payer-code-mailer.ts';
import { chooseReminders, wantsReminders } from '../../../src/reminders/unsubscribe.ts';
import { savePortalSettings } from '../../../src/stores/portal-settings.ts';
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
import {
  csrfOf,
  PortalReader,
  shownCode,
  shownCodes,
  submissionOf,
} from '../../support/web/portal-reader.ts';

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

async function allow(changesEmail: boolean, devMode = true): Promise<void> {
  const settings = { ...DEFAULT_PORTAL_SETTINGS, changesDetails: true, changesEmail };
  await em().transactional((tx) => savePortalSettings(tx, { storeId: app.storeId, devMode }, settings, NOON));
}

let customers = 0;

/** A customer who is signed in, and what they do to change their address. */
async function signedInCustomer() {
  customers += 1;
  const email = `ana${customers}@example.com`;
  const newEmail = `ana.souza${customers}@example.com`;
  const customer = await insertCustomer(app, { email, name: 'Ana' });
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  await reader.signIn(path, email);
  const form = `${path}/details/email`;
  /** Opens the form and sends it. */
  const request = async (typed = newEmail, by = reader) => {
    const { text } = await by.get(form);
    return by.post(form, { csrf: csrfOf(text), submission: submissionOf(text), email: typed });
  };
  const enter = async ([code = '', newEmailCode = '']: readonly string[], by = reader) => {
    const csrf = csrfOf((await by.get(form)).text);
    return by.post(`${form}/code`, { csrf, code, newEmailCode });
  };
  /** The codes that dev mode shows: of the present address, and of the new one. */
  const codesFor = async (typed = newEmail) => {
    await request(typed);
    return shownCodes((await reader.get(`${form}/code`)).text);
  };
  return { customer, email, newEmail, path, reader, form, request, enter, codesFor };
}

/** A payment that a payer made with an address, on a page of the store. */
async function paymentWith({ id: customerId }: Customer, payerEmail: string) {
  const charged = { customerId, payerEmail, customerNamedBy: 'PAYER' as const, ...paid(10_000) };
  return insertCharge(app, await insertCheckout(app), 'PIX', charged);
}

describe('a change of the address', () => {
  it('needs a code of each address, and writes one event and one audit line', async () => {
    const { customer, newEmail, path, form, reader, request, enter, codesFor } = await signedInCustomer();
    expect(await request()).toMatchObject({ status: 303, location: `${form}/code` });
    const codes = await codesFor();
    expect(await enter(codes)).toMatchObject({ status: 303, location: `${path}?details=email#data` });
    expect(await emailOf(customer)).toBe(newEmail);
    const events = await em().find(EventEntity, { customerId: customer.id, name: 'customer.updated' });
    expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([
      { changed: ['email'], changedBy: 'CUSTOMER' },
    ]);
    const lines = await em().find(AuditLineEntity, { subjectId: customer.id, actorKind: 'PAYER' });
    expect(lines.map(({ action, details }) => [action, details])).toEqual([['customers/update', null]]);
    expect((await reader.get(`${path}?details=email`)).text).toContain('Your e-mail was changed');
  });

  it('ends all sessions of the customer, and gives the browser a new one', async () => {
    const { email, newEmail, path, reader } = await signedInCustomer();
    const phone = new PortalReader(app);
    await phone.signIn(path, email);
    const copied = new PortalReader(app);
    for (const [name, value] of reader.cookies) copied.cookies.set(name, value);
    await reader.changeEmail(path, newEmail);
    expect((await reader.get(path)).text).toContain('Your data');
    for (const other of [phone, copied]) expect((await other.get(path)).text).not.toContain('Your data');
    await reader.changeEmail(path, email);
    for (const other of [phone, copied]) expect((await other.get(path)).text).not.toContain('Your data');
    expect((await new PortalReader(app).signIn(path, email)).text).toContain('Your data');
  });

  it('ends sessions that would return when the merchant enters an earlier address', async () => {
    const { customer, email, path, reader } = await signedInCustomer();
    for (const each of ['other@example.com', email])
      await app.api.post('/v2/customers/update', { id: customer.id, email: each });
    expect((await reader.get(path)).text).not.toContain('Your data');
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
    expect(await presentEmailOf(em(), customer.id, email)).toBe(third);
    expect(await presentEmailOf(em(), customer.id, 'eve@example.com')).toBe('eve@example.com');
  });

  it('shows none of them to an address that the merchant enters later', async () => {
    const { customer, email, newEmail, path, reader } = await signedInCustomer();
    const own = await paymentWith(customer, email);
    await reader.changeEmail(path, newEmail);
    await em().nativeUpdate(CustomerEntity, { id: customer.id }, { email: 'other@example.com' });
    const { text } = await new PortalReader(app).signIn(path, 'other@example.com');
    expect(text).not.toContain(own.id);
    expect(await presentEmailOf(em(), customer.id, email)).toBe(email);
  });

  it('keeps the choice to get no reminders', async () => {
    const { customer, email, newEmail, path, reader } = await signedInCustomer();
    await chooseReminders(em(), { id: customer.id, email }, false, NOON);
    await reader.changeEmail(path, newEmail);
    expect(await wantsReminders(em(), customer.id, newEmail)).toBe(false);
  });

  it('changes it once when the right codes arrive five times at once', async () => {
    const { customer, form, reader, codesFor } = await signedInCustomer();
    const [code = '', newEmailCode = ''] = await codesFor();
    const csrf = csrfOf((await reader.get(form)).text);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => reader.post(`${form}/code`, { csrf, code, newEmailCode })),
    );
    const done = answers.filter(({ status, location }) => status === 303 && location.includes('email'));
    expect(done).toHaveLength(1);
    const lines = await em().count(AuditLineEntity, { subjectId: customer.id, actorKind: 'PAYER' });
    expect(lines).toBe(1);
  });

  it('sends the codes once for a form that is sent twice', async () => {
    const { customer, form, reader } = await signedInCustomer();
    const { text } = await reader.get(form);
    const sent = { csrf: csrfOf(text), submission: submissionOf(text), email: 'new@example.com' };
    await Promise.all([reader.post(form, sent), reader.post(form, sent)]);
    const requests = await em().count(PayerSignInEntity, {
      customerId: customer.id,
      newEmail: 'new@example.com',
    });
    expect(requests).toBe(1);
    expect((await reader.post(form, { ...sent, submission: '' })).status).toBe(400);
  });

  it('forgets the earlier address when the customer is deleted', async () => {
    const { customer, newEmail, path, reader } = await signedInCustomer();
    await reader.changeEmail(path, newEmail);
    const { id: customerId } = customer;
    expect(await em().count(EarlierEmailEntity, { customerId })).toBe(1);
    await app.api.post('/v2/customers/delete', { id: customerId });
    expect(await em().count(EarlierEmailEntity, { customerId })).toBe(0);
  });
});

describe('a refused change of the address', () => {
  it.each([
    ['a malformed address', 'ana', 'Write an e-mail address'],
    ['the present address', 'ANA', 'This is your e-mail already'],
  ])('names %s and sends no code', async (_, typed, problem) => {
    const { email, form, reader, request } = await signedInCustomer();
    const wrong = await request(typed === 'ANA' ? email.toUpperCase() : typed);
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining(problem)]);
    expect(await reader.get(`${form}/code`)).toMatchObject({ status: 303 });
  });

  it.each([
    ['the present address', 0],
    ['the new address', 1],
  ])('keeps the address after five wrong codes of %s', async (_, wrongOne) => {
    const { customer, email, enter, codesFor } = await signedInCustomer();
    const codes = await codesFor();
    const wrong = codes.map((code, index) =>
      index !== wrongOne ? code : code === '000000' ? '000001' : '000000',
    );
    for (let tries = 0; tries < 5; tries += 1) expect((await enter(wrong)).status).toBe(422);
    expect((await enter(codes)).status).toBe(422);
    expect(await emailOf(customer)).toBe(email);
  });

  it('takes no code of a sign-in, and no sign-in takes its codes', async () => {
    const { customer, email, path, form, reader, enter, codesFor } = await signedInCustomer();
    const codes = await codesFor();
    const thief = new PortalReader(app);
    thief.cookies.set('recebe_portal_code', reader.cookies.get('recebe_portal_email') ?? '');
    for (const code of codes) expect((await thief.post(`${path}/code`, { code })).status).toBe(422);
    await reader.post(path, { email });
    const code = shownCode((await reader.get(`${path}/code`)).text) ?? '';
    reader.cookies.set('recebe_portal_email', reader.cookies.get('recebe_portal_code') ?? '');
    expect(await reader.get(`${form}/code`)).toMatchObject({ status: 303 });
    expect((await enter([code, code])).status).toBe(422);
    expect(await emailOf(customer)).toBe(email);
  });

  it('refuses codes that another customer has requested', async () => {
    const [ana, bia] = [await signedInCustomer(), await signedInCustomer()];
    const codes = await bia.codesFor();
    ana.reader.cookies.set('recebe_portal_email', bia.reader.cookies.get('recebe_portal_email') ?? '');
    expect((await ana.enter(codes)).status).toBe(422);
    expect(await emailOf(ana.customer)).toBe(ana.email);
  });

  it('refuses codes that were requested before another change', async () => {
    const { customer, newEmail, path, reader, enter, codesFor } = await signedInCustomer();
    const codes = await codesFor('third@example.com');
    const request = reader.cookies.get('recebe_portal_email') ?? '';
    await reader.changeEmail(path, newEmail);
    reader.cookies.set('recebe_portal_email', request);
    expect((await enter(codes)).status).toBe(422);
    expect(await emailOf(customer)).toBe(newEmail);
  });

  it('asks the settings of the store when the codes arrive', async () => {
    const { customer, email, path, form, reader, codesFor } = await signedInCustomer();
    const [code = '', newEmailCode = ''] = await codesFor();
    const csrf = csrfOf((await reader.get(`${path}/details`)).text);
    await allow(false);
    expect(await reader.post(`${form}/code`, { csrf, code, newEmailCode })).toMatchObject({ status: 409 });
    expect((await reader.get(form)).status).toBe(409);
    expect((await reader.get(path)).text).not.toContain(form);
    expect(await emailOf(customer)).toBe(email);
  });

  it('returns 429 for the fourth request of a session, and not for another session', async () => {
    const { email, path, request } = await signedInCustomer();
    for (let sent = 0; sent < 3; sent += 1) expect((await request()).status).toBe(303);
    expect((await request()).status).toBe(429);
    const phone = new PortalReader(app);
    await phone.signIn(path, email);
    expect((await request('another@example.com', phone)).status).toBe(303);
  });
});

describe('a change of the address in production', () => {
  it('mails a code to the present address first, and one to the new one', async () => {
    await using server = await startMailServer();
    const mailer = new PayerCodeMailer(
      app.database,
      app.api.url,
      { smtpUrl: server.smtpUrl, from: 'portal@example.com' },
      createLogger('silent', { write: () => undefined }),
    );
    /** The codes in the mails that are due. */
    const deliver = async () => {
      const before = server.mails.length;
      while ((await mailer.sendDue(NOON)) > 0);
      return server.mails.slice(before).map((mail) => /^(\d{6})\r?$/m.exec(mail)?.[1] ?? '');
    };
    await allow(true, false);
    const customer = await insertCustomer(app, { devMode: false, email: 'old@example.com' });
    const path = `/portal/${customer.id}`;
    const form = `${path}/details/email`;
    const reader = new PortalReader(app);
    await reader.post(path, { email: 'old@example.com' });
    const [signInCode = ''] = await deliver();
    await reader.post(`${path}/code`, { code: signInCode });
    const { text } = await reader.get(form);
    const csrf = csrfOf(text);
    await reader.post(form, { csrf, submission: submissionOf(text), email: 'new@example.com' });
    expect(shownCodes((await reader.get(`${form}/code`)).text)).toEqual([]);
    const [code = '', newEmailCode = ''] = await deliver();
    await mailer.close();
    expect(server.mails.map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim())).toEqual([
      'old@example.com',
      'old@example.com',
      'new@example.com',
    ]);
    expect(server.mails[1]).toContain('wants to replace this');
    expect(server.mails[1]).not.toContain(newEmailCode);
    await reader.post(`${form}/code`, { csrf, code, newEmailCode });
    expect(await emailOf(customer)).toBe('new@example.com');
  });
});
