import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { CustomerEntity } from '../../../src/database/entities/customer.ts';
import { MandateEntity } from '../../../src/database/entities/mandate.ts';
import { SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { DEFAULT_PORTAL_SETTINGS, type PortalSettings } from '../../../src/domain/portal-settings.ts';
import { followMandate } from '../../../src/mandates/follow-mandate.ts';
import { savePortalSettings } from '../../../src/stores/portal-settings.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { activityDeps } from '../../support/fixtures/activity-deps.ts';
import { insertCustomer, NOON } from '../../support/rows/checkout-rows.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';
import { csrfOf, PortalReader } from '../../support/web/portal-reader.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({
    clock: () => NOON,
    starter: { startSoon: () => undefined },
    followMandate: (id, now) =>
      followMandate(
        {
          ...activityDeps({ ...app, providers: app.deps.providers, dispatcher: app.deps.dispatcher }),
          startDelivery: async () => {},
          wakeSubscription: async () => {},
          wakeDebit: () => {},
        },
        id,
        now,
      ),
  });
  await allow({});
});
afterAll(() => app.close());

const em = () => app.database.em.fork();

async function allow(settings: Partial<PortalSettings>): Promise<void> {
  const all = { ...DEFAULT_PORTAL_SETTINGS, changesMethod: true, ...settings };
  await em().transactional((tx) =>
    savePortalSettings(tx, { storeId: app.storeId, devMode: true }, all, NOON),
  );
}

let subscribers = 0;

/** A customer with a subscription at R$ 49.00 a month, signed in. */
async function subscriber(method: 'PIX' | 'CARD' = 'PIX') {
  subscribers += 1;
  const email = `caio${subscribers}@example.com`;
  const customer = await insertCustomer(app, { email, name: 'Caio Prado' });
  const own = { customerId: customer.id };
  const { subscription } = await insertSubscribed(app, method, { checkout: own, subscription: own });
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  await reader.signIn(path, email);
  return {
    subscription,
    taxId: customer.taxId ?? '',
    reader,
    path,
    of: `${path}/subscriptions/${subscription.id}`,
  };
}
type Subscriber = Awaited<ReturnType<typeof subscriber>>;

const rowOf = ({ subscription: { id } }: Subscriber) => em().findOneOrFail(SubscriptionEntity, { id });
const mandatesOf = ({ subscription: { checkoutId } }: Subscriber) => em().find(MandateEntity, { checkoutId });

function fieldsOf(text: string): Record<string, string> {
  const submission = /name="submission" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return { csrf: csrfOf(text), submission };
}

/** @returns the path of the page with the code. */
async function asked({ reader, of }: Subscriber): Promise<string> {
  const page = await reader.get(`${of}/authorize`);
  expect(page.status).toBe(200);
  const sent = await reader.post(`${of}/authorize`, fieldsOf(page.text));
  expect(sent.status).toBe(303);
  return sent.location;
}

describe('a payer in the portal', () => {
  it('authorizes debits in place of codes', async () => {
    const caio = await subscriber();
    expect((await caio.reader.get(caio.path)).text).toContain('Pay by automatic debit');
    const path = await asked(caio);
    const { text } = await caio.reader.get(path);
    for (const shown of ['Clube do café', 'R$\u00a049,00', 'every month', 'Until you end the authorization'])
      expect(text).toContain(shown);
    for (const hidden of ['Caio', caio.taxId]) expect(text).not.toContain(hidden);
    await caio.reader.post(`${path}/simulate`, { answer: 'accept' });
    expect((await caio.reader.get(path)).text).toContain('Authorization confirmed');
    const [mandate] = await mandatesOf(caio);
    expect(await rowOf(caio)).toMatchObject({ mandateId: mandate?.id, method: 'PIX' });
    const home = await caio.reader.get(caio.path);
    expect(home.text).toContain('Pix Automático: your bank debits it every month');
    expect(home.text).not.toContain('Pay by automatic debit');
  });

  it('replaces a card by debits once the bank says so', async () => {
    const caio = await subscriber('CARD');
    const path = await asked(caio);
    expect((await rowOf(caio)).method).toBe('CARD');
    await caio.reader.post(`${path}/simulate`, { answer: 'accept' });
    expect(await rowOf(caio)).toMatchObject({ method: 'PIX', cardToken: null });
  });

  it('goes back to codes, whatever the store wants of authorizations that banks end', async () => {
    const caio = await subscriber();
    await caio.reader.post(`${await asked(caio)}/simulate`, { answer: 'accept' });
    const page = await caio.reader.get(`${caio.of}/pay-by-code`);
    expect(page.text).toContain('You get a Pix code for each charge.');
    const sent = await caio.reader.post(`${caio.of}/pay-by-code`, fieldsOf(page.text));
    expect((await caio.reader.get(sent.location)).text).toContain('The authorization has ended.');
    expect(await rowOf(caio)).toMatchObject({ mandateId: null, status: 'ACTIVE' });
    expect(await mandatesOf(caio)).toMatchObject([{ endedBy: 'PAYER', endRequestedAt: NOON }]);
    const lines = await em().find(AuditLineEntity, { subjectId: caio.subscription.id });
    expect(lines.map(({ action }) => action).toSorted()).toEqual(['mandates/cancel', 'mandates/create']);
  });

  it('makes one request of a form that is sent twice', async () => {
    const caio = await subscriber();
    const fields = fieldsOf((await caio.reader.get(`${caio.of}/authorize`)).text);
    const send = () => caio.reader.post(`${caio.of}/authorize`, fields);
    const [one, other] = await Promise.all([send(), send()]);
    expect(one.location).toBe(other.location);
    expect(await mandatesOf(caio)).toHaveLength(1);
  });

  it('asks nothing with an earlier form once the store has withdrawn the offer', async () => {
    const caio = await subscriber();
    const fields = fieldsOf((await caio.reader.get(`${caio.of}/authorize`)).text);
    const send = () => caio.reader.post(`${caio.of}/authorize`, fields);
    await caio.reader.post(`${(await send()).location}/simulate`, { answer: 'refuse' });
    await allow({ changesMethod: false });
    expect((await send()).location).toBe(caio.path);
    expect(await mandatesOf(caio)).toHaveLength(1);
    await allow({});
  });

  it('leaves no line for a request that the bank refuses', async () => {
    const caio = await subscriber();
    await em().nativeUpdate(CustomerEntity, { taxId: caio.taxId }, { name: null });
    const fields = fieldsOf((await caio.reader.get(`${caio.of}/authorize`)).text);
    expect((await caio.reader.post(`${caio.of}/authorize`, fields)).status).toBe(409);
    expect(await mandatesOf(caio)).toEqual([]);
    expect(await em().count(AuditLineEntity, { subjectId: caio.subscription.id })).toBe(0);
  });

  it('sees no offer that the store does not allow', async () => {
    const caio = await subscriber();
    await allow({ changesMethod: false });
    expect((await caio.reader.get(caio.path)).text).not.toContain('Pay by automatic debit');
    expect((await caio.reader.get(`${caio.of}/authorize`)).status).toBe(409);
    await allow({});
  });

  it('finds no page for the subscription of somebody else', async () => {
    const [caio, dora] = [await subscriber(), await subscriber()];
    expect(
      (await caio.reader.get(`${caio.path}/subscriptions/${dora.subscription.id}/authorize`)).status,
    ).toBe(404);
  });
});

describe('the page of an authorization', () => {
  it('says that a refused request authorizes nothing', async () => {
    const caio = await subscriber();
    const path = await asked(caio);
    await caio.reader.post(`${path}/simulate`, { answer: 'refuse' });
    const { text } = await caio.reader.get(path);
    expect(text).toContain('This request is no longer valid');
    expect(text).not.toContain('br.gov.bcb.pix');
  });

  it('does not exist for an unknown id, and nobody simulates there in production', async () => {
    const caio = await subscriber();
    const path = await asked(caio);
    expect((await caio.reader.get('/authorize/mand_01KAK0Z7Q3C5D7E9F1G3H5J7KM')).status).toBe(404);
    const [mandate] = await mandatesOf(caio);
    await em().nativeUpdate(MandateEntity, { id: mandate?.id ?? ('' as never) }, { devMode: false });
    expect((await caio.reader.post(`${path}/simulate`, { answer: 'accept' })).status).toBe(404);
    expect((await caio.reader.get(path)).text).not.toContain('Simulate');
  });
});
