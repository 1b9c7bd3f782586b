import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventView } from '../../src/api/events/schema.ts';
import type { EventName } from '../../src/domain/event-names.ts';
import type { CustomerId, StoreId } from '../../src/domain/ids.ts';
import type { EventData } from '../../src/events/events.ts';
import { EVENTS } from '../../src/events/events.ts';
import type { EventOwner } from '../../src/events/record.ts';
import { writeEvent } from '../../src/events/record.ts';
import { V1_EVENTS } from '../../src/events/v1/events.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { insertWebhook } from '../support/rows/build.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const CHARGE = EVENTS['transparent.completed'].example.transparent.id;
const CHECKOUT = EVENTS['checkout.completed'].example.checkout.id;
const CARD_CHARGE = EVENTS['checkout.completed'].example.payment.id;
const SUBSCRIPTION = EVENTS['subscription.renewed'].example.subscription.id;
const CUSTOMER = 'cust_01KAK0Y3PN5C7D9E1F2G3H4J5K' as CustomerId;
const REFUND = 'tran_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';

/** A store in which each of these has happened once, a minute after the other. */
async function openStore() {
  const { id: storeId } = await createTestStore(app.database);
  const owner: EventOwner = { storeId, devMode: true, customerId: CUSTOMER };
  const inKeys = new Map<EventName, string>([
    ['transparent.completed', `${CHARGE}${storeId}`],
    ['transparent.refunded', `${REFUND}${storeId}`],
    ['checkout.completed', `${CARD_CHARGE}${storeId}`],
    ['subscription.renewed', `card_2${storeId}`],
    ['payout.completed', `tran_2${storeId}`],
  ]);
  let minute = 0;
  for (const [name, inKey] of inKeys) {
    minute += 1;
    const at = new Date(Date.UTC(2026, 2, 6, 12, minute));
    // In truth the id in the key is that in the data; here every store needs keys of its own.
    const data = EVENTS[name].example as EventData[typeof name];
    await writeEvent(app.database.em.fork(), owner, name, inKey, data, at);
  }
  const api = await app.clientWith({ storeId });
  const found = async (query: string) =>
    dataOf<EventView[]>(await api.get(`/v2/events/list?${query}`)).map(({ name }) => name);
  return { api, found, storeId, inKeys };
}

describe('events', () => {
  it('lists events newest first, with the data of webhooks, without any endpoint', async () => {
    const { api, storeId } = await openStore();
    const events = dataOf<EventView[]>(await api.get('/v2/events/list'));
    expect(events.map(({ name }) => name)).toEqual([
      'payout.completed',
      'subscription.renewed',
      'checkout.completed',
      'transparent.refunded',
      'transparent.completed',
    ]);
    const last = events.at(-1);
    expect(last).toEqual({
      id: expect.stringMatching(/^evnt_[0-9A-Z]{26}$/),
      name: 'transparent.completed',
      devMode: true,
      subjectIds: [`${CHARGE}${storeId}`, CHARGE, CUSTOMER],
      data: EVENTS['transparent.completed'].example,
      createdAt: '2026-03-06T12:01:00.000Z',
    });
    expect(dataOf(await api.get(`/v2/events/get?id=${last?.id}`))).toEqual(last);
  });

  it('finds events by every id that they concern', async () => {
    const { found, inKeys } = await openStore();
    const idOf = (name: EventName) => `subjectId=${inKeys.get(name)}`;
    expect(await found(idOf('transparent.completed'))).toEqual(['transparent.completed']);
    expect(await found(idOf('transparent.refunded'))).toEqual(['transparent.refunded']);
    expect(await found(idOf('payout.completed'))).toEqual(['payout.completed']);
    // The refund is about the charge, too.
    expect(await found(`subjectId=${CHARGE}`)).toEqual(['transparent.refunded', 'transparent.completed']);
    expect(await found(`subjectId=${CARD_CHARGE}`)).toEqual(['checkout.completed']);
    expect(await found(`subjectId=${CHECKOUT}`)).toContain('checkout.completed');
    expect(await found(`subjectId=${SUBSCRIPTION}`)).toEqual(['subscription.renewed']);
    expect(await found(`subjectId=${CUSTOMER}`)).toHaveLength(5);
    expect(await found('subjectId=pix_char_none')).toEqual([]);
  });

  it('filters events by name and by time, also combined', async () => {
    const { found } = await openStore();
    expect(await found('name=checkout.completed')).toEqual(['checkout.completed']);
    expect(await found('from=2026-03-06T12:04:00Z')).toEqual(['payout.completed', 'subscription.renewed']);
    expect(await found('to=2026-03-06T09:02:00-03:00')).toEqual(['transparent.completed']);
    const period = 'from=2026-03-06T12:01:00Z&to=2026-03-06T12:03:00Z';
    expect(await found(period)).toEqual(['transparent.refunded', 'transparent.completed']);
    expect(await found(`${period}&subjectId=${CUSTOMER}&name=transparent.refunded`)).toEqual([
      'transparent.refunded',
    ]);
  });

  it('filters events by days in São Paulo', async () => {
    const { found } = await openStore();
    expect(await found('from=2026-03-06&to=2026-03-06')).toHaveLength(5);
    expect(await found('to=2026-03-05')).toEqual([]);
    expect(await found('from=2026-03-07')).toEqual([]);
  });

  it.each(['from=yesterday', 'to=2026-02-30', 'from=2026-03-06T12:00:00'])(
    'returns 400 for a time without a time zone or that does not exist: %s',
    async (query) => {
      const [field] = query.split('=');
      expect(await app.api.get(`/v2/events/list?${query}`)).toMatchObject({
        status: 400,
        json: {
          code: 'VALIDATION_ERROR',
          issues: [{ path: field, message: expect.stringMatching(/such as/) }],
        },
      });
    },
  );

  it('shows events that only v1 has in the form of v1', async () => {
    const { api, storeId } = await openStore();
    const owner = { storeId, devMode: true, customerId: null };
    const recorded = { ...EVENTS['checkout.completed'].example, reason: 'card_declined' };
    const data = recorded as unknown as EventData['billing.failed'];
    await writeEvent(app.database.em.fork(), owner, 'billing.failed', `card_3${storeId}`, data, new Date());
    const [event] = dataOf<EventView[]>(await api.get('/v2/events/list?name=billing.failed'));
    expect(event?.data).toEqual(V1_EVENTS['billing.failed'].build(recorded as never, true));
  });

  it('hides events of another store or environment', async () => {
    const { api, storeId } = await openStore();
    const [{ id } = { id: '' }] = dataOf<EventView[]>(await api.get('/v2/events/list'));
    const stranger = await app.clientWith();
    const production = await app.clientWith({ storeId, devMode: false });
    for (const client of [stranger, production]) {
      expect(dataOf(await client.get(`/v2/events/list?subjectId=${CUSTOMER}`))).toEqual([]);
      expect(dataOf(await client.get(`/v2/webhooks/deliveries?subjectId=${CUSTOMER}`))).toEqual([]);
      expect(await client.get(`/v2/events/get?id=${id}`)).toMatchObject({
        status: 404,
        json: { error: 'Event not found' },
      });
    }
  });
});

describe('deliveries of an event', () => {
  it('shows the event, its subjects and the payload of each delivery', async () => {
    const { api, storeId } = await openStore();
    const events = ['transparent.completed', 'billing.paid'] as const;
    const v2 = await insertWebhook(app.database, { storeId: storeId as StoreId, events: [events[0]] });
    const v1 = await insertWebhook(app.database, {
      storeId: storeId as StoreId,
      events: [events[1]],
      v2: false,
    });
    const owner = { storeId, devMode: true, customerId: CUSTOMER };
    const { example } = EVENTS['transparent.completed'];
    const inKey = `pix_char_9${storeId}`;
    await writeEvent(app.database.em.fork(), owner, 'transparent.completed', inKey, example, new Date());
    const deliveries = dataOf<{ id: string; webhookId: string; eventId: string; subjectIds: string[] }[]>(
      await api.get(`/v2/webhooks/deliveries?subjectId=${inKey}`),
    );
    expect(deliveries).toHaveLength(2);
    const [eventId] = new Set(deliveries.map((each) => each.eventId));
    expect(dataOf(await api.get(`/v2/webhooks/deliveries?eventId=${eventId}`))).toEqual(deliveries);
    for (const { id, webhookId, subjectIds } of deliveries) {
      expect(subjectIds).toEqual([inKey, CHARGE, CUSTOMER]);
      const { payload } = dataOf<{ payload: object }>(await api.get(`/v2/webhooks/deliveries/get?id=${id}`));
      const { billing, pixQrCode } = V1_EVENTS['billing.paid'].build(example as never, true);
      expect(payload).toMatchObject(
        webhookId === v2.id
          ? { id, event: 'transparent.completed', apiVersion: 2, devMode: true, eventId, data: example }
          : { event: 'billing.paid', devMode: true, data: { billing, pixQrCode } },
      );
    }
    expect(new Set(deliveries.map(({ webhookId }) => webhookId))).toEqual(new Set([v1.id, v2.id]));
  });
});
