import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { type Customer, CustomerEntity } from '../../../src/database/entities/customer.ts';
import { EventEntity } from '../../../src/database/entities/event.ts';
import { DEFAULT_PORTAL_SETTINGS } from '../../../src/domain/portal-settings.ts';
import { savePortalSettings } from '../../../src/stores/portal-settings.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { insertWebhook } from '../../support/rows/build.ts';
import { insertCustomer, NOON } from '../../support/rows/checkout-rows.ts';
import { csrfOf, PortalReader } from '../../support/web/portal-reader.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON, starter: { startSoon: () => undefined } });
  const events = ['customer.updated'] as const;
  await insertWebhook(app.database, {
    storeId: app.storeId,
    endpoint: 'https://example.com/hooks',
    events: [...events],
  });
});
afterAll(() => app.close());
beforeEach(() => allow(true));

const em = () => app.database.em.fork();
const rowOf = ({ id }: Pick<Customer, 'id'>) => em().findOneOrFail(CustomerEntity, { id });

async function allow(changesDetails: boolean): Promise<void> {
  const settings = { ...DEFAULT_PORTAL_SETTINGS, changesDetails };
  const place = { storeId: app.storeId, devMode: true };
  await em().transactional((tx) => savePortalSettings(tx, place, settings, NOON));
}

let customers = 0;

/** A customer who is signed in and has the form open. */
async function withForm() {
  customers += 1;
  const email = `ana${customers}@example.com`;
  const taxId = ['52998224725', '11144477735', '12345678909', '98765432100', '39053344705'][customers - 1];
  const customer = await insertCustomer(app, { email, name: 'Ana', cellphone: null, taxId: taxId ?? null });
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  await reader.signIn(path, email);
  const { text } = await reader.get(`${path}/details`);
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';
  const form = { csrf: csrfOf(text), submission: hidden('submission'), shownAt: hidden('shownAt') };
  const send = (typed: object) =>
    reader.post(`${path}/details`, { ...form, ...typed } as Record<string, string>);
  return { customer, path, reader, text, send };
}

const eventsOf = ({ id }: Customer) =>
  em().find(EventEntity, { customerId: id, name: 'customer.updated' }, { orderBy: { createdAt: 'asc' } });

it('changes name, telephone and CEP, once, with an event and an audit line', async () => {
  const { customer, path, send, reader } = await withForm();
  const typed = { name: ' Ana Souza ', cellphone: '(11) 91234-5678', zipCode: '01310-100' };
  for (const _ of [1, 2])
    expect(await send(typed)).toMatchObject({ status: 303, location: `${path}?details=changed#data` });
  expect(await rowOf(customer)).toMatchObject({
    name: 'Ana Souza',
    cellphone: '(11) 91234-5678',
    zipCode: '01310100',
    email: customer.email,
    taxId: customer.taxId,
  });
  const [event, ...others] = await eventsOf(customer);
  expect(others).toEqual([]);
  expect(JSON.parse(event?.data ?? '')).toMatchObject({
    customer: { id: customer.id, name: 'Ana Souza' },
    changed: ['name', 'cellphone', 'zipCode'],
    changedBy: 'CUSTOMER',
  });
  expect(event?.data).not.toContain('91234');
  const lines = await em().find(AuditLineEntity, { subjectId: customer.id, actorKind: 'PAYER' });
  expect(lines.map(({ action, details }) => [action, details])).toEqual([['customers/update', null]]);
  const facts = [...(await reader.get(path)).text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)];
  expect(facts.map(([, name, value]) => [name, value])).toEqual([
    ['Name', 'Ana Souza'],
    ['Telephone', '(11) 91234-5678'],
    ['CEP (postal code)', '01310-100'],
  ]);
});

it('names every wrong field and stores nothing', async () => {
  const { customer, send } = await withForm();
  const wrong = await send({ name: '  ', cellphone: 'call me', zipCode: '1310' });
  expect(wrong.status).toBe(422);
  for (const field of ['name', 'cellphone', 'zipCode']) expect(wrong.text).toContain(`id="${field}-problem"`);
  expect(await rowOf(customer)).toEqual(customer);
});

it('shows the tax id masked, and takes neither it nor an address', async () => {
  const { customer, text, send } = await withForm();
  expect(text).toContain('***');
  expect(text).not.toContain(customer.taxId);
  await send({ name: 'Ana', cellphone: '', zipCode: '', email: 'eva@example.com', taxId: '39053344705' });
  expect(await rowOf(customer)).toMatchObject({ email: customer.email, taxId: customer.taxId });
});

it('changes nothing if somebody has changed the customer since the form was opened', async () => {
  const { customer, send } = await withForm();
  const { id } = customer;
  await em().nativeUpdate(
    CustomerEntity,
    { id },
    { name: 'Ana Lima', updatedAt: new Date(NOON.getTime() + 1) },
  );
  const late = await send({ name: 'Ana Souza', cellphone: '', zipCode: '' });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('nothing was saved')]);
  expect(await rowOf(customer)).toMatchObject({ name: 'Ana Lima' });
  expect(await eventsOf(customer)).toEqual([]);
});

it('asks the settings of the store when the form is sent', async () => {
  const { customer, path, send, reader } = await withForm();
  await allow(false);
  expect(await send({ name: 'Ana Souza', cellphone: '', zipCode: '' })).toMatchObject({ status: 409 });
  expect(await rowOf(customer)).toMatchObject({ name: 'Ana' });
  expect((await reader.get(`${path}/details`)).status).toBe(409);
  expect((await reader.get(path)).text).not.toContain(`${path}/details`);
});
