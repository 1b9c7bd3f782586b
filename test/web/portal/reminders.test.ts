import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Customer } from '../../../src/database/entities/customer.ts';
import { ReminderRecipientEntity } from '../../../src/database/entities/reminder-recipient.ts';
import { DEFAULT_REMINDER_SETTINGS } from '../../../src/domain/reminders.ts';
import { recipientOf, unsubscribe } from '../../../src/reminders/unsubscribe.ts';
import { saveReminderSettings } from '../../../src/stores/reminder-settings.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { insertCustomer, NOON } from '../../support/rows/checkout-rows.ts';
import { csrfOf, PortalReader } from '../../support/web/portal-reader.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON, starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());

const EMAIL = 'ana@example.com';
const stateOf = ({ id }: Customer) => recipientOf(app.database.em.fork(), id, EMAIL, NOON);
const remind = (channel: 'NONE' | 'EMAIL', { storeId, devMode }: Customer) =>
  app.database.em
    .fork()
    .transactional((em) =>
      saveReminderSettings(em, { storeId, devMode }, { ...DEFAULT_REMINDER_SETTINGS, channel }, NOON),
    );

it('ends reminders as their link does, and begins them again', async () => {
  const customer = await insertCustomer(app);
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  expect((await reader.signIn(path, EMAIL)).text).not.toContain('id="reminders"');
  await remind('EMAIL', customer);
  const { text } = await reader.get(path);
  expect(text).toContain('This store sends payment reminders to ana@example.com.');
  const csrf = csrfOf(text);
  for (let twice = 0; twice < 2; twice++) {
    const ended = await reader.post(`${path}/reminders`, { csrf, wants: 'no' });
    expect([ended.status, ended.location]).toEqual([303, `${path}?reminders=off#reminders`]);
  }
  expect((await stateOf(customer)).unsubscribedAt).toEqual(NOON);
  expect((await reader.get(`${path}?reminders=off`)).text).toContain('Done. You get no more reminders');
  // The address proves nothing: the page reads the row.
  expect((await reader.get(`${path}?reminders=on`)).text).not.toContain('role="status"');
  await reader.post(`${path}/reminders`, { csrf, wants: 'yes' });
  expect((await stateOf(customer)).unsubscribedAt).toBeNull();
  const { token } = await stateOf(customer);
  await unsubscribe(app.database, token, NOON);
  await remind('NONE', customer);
  expect((await reader.get(path)).text).toContain('This store sends no reminders to ana@example.com.');
});

it("changes nothing without the session's own form", async () => {
  const customer = await insertCustomer(app);
  await remind('EMAIL', customer);
  const path = `/portal/${customer.id}`;
  const stranger = await new PortalReader(app).post(`${path}/reminders`, { wants: 'no' });
  expect([stranger.status, stranger.location]).toEqual([303, path]);
  const reader = new PortalReader(app);
  await reader.signIn(path, EMAIL);
  expect((await reader.post(`${path}/reminders`, { csrf: 'x', wants: 'no' })).status).toBe(403);
  const ended = { customerId: customer.id, unsubscribedAt: { $ne: null } };
  expect(await app.database.em.fork().count(ReminderRecipientEntity, ended)).toBe(0);
});
