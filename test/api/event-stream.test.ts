import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStreams } from '../../src/api/events/event-streams.ts';
import { FIRST_PLACE } from '../../src/api/events/events-in-order.ts';
import { eventMessage } from '../../src/api/events/routes.ts';
import type { EventView } from '../../src/api/events/schema.ts';
import { keyAtAddress, servingKeys } from '../../src/api/events/serving-keys.ts';
import { findCaller } from '../../src/api/keys/caller.ts';
import { limitServingKey, revokeKey } from '../../src/cli/keys.ts';
import type { Em } from '../../src/database/orm.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { EVENTS } from '../../src/events/events.ts';
import { writeEvent } from '../../src/events/record.ts';
import { createLogger } from '../../src/log.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { listen } from '../support/api/event-stream.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let written = 0;

/** Each test has a store of its own. */
async function openStore() {
  const { id: storeId } = await createTestStore(app.database);
  const api = await app.clientWith({ storeId });
  return { storeId, api, happen: (name?: Name) => happen(app.database.em.fork(), storeId, name) };
}

type Name = 'transparent.completed' | 'payout.completed';

/** Writes an event, at a time of its own. @returns the last part of its key. */
async function happen(em: Em, storeId: StoreId, name: Name = 'payout.completed', devMode = true) {
  written += 1;
  const subjectId = `tran_${storeId}_${written}`;
  const data = EVENTS[name].example;
  const at = new Date(Date.UTC(2026, 0, 1) + written);
  await writeEvent(em, { storeId, devMode, customerId: null }, name, subjectId, data as never, at);
  return subjectId;
}

const subjects = (events: readonly EventView[]) => events.map(({ subjectIds }) => subjectIds[0]);

async function keyIdOf(api: ApiClient) {
  const caller = await findCaller(app.database, api.key);
  if (caller === null) throw new Error('the key does not serve');
  return caller.keyId;
}

describe('who listens', () => {
  it('is told what happens from then on, as events/get answers it, uncompressed', async () => {
    const { api, happen } = await openStore();
    using listener = await listen(api);
    const told = [await happen('transparent.completed'), await happen()];
    await listener.waitForEvents(2);
    expect(subjects(listener.events)).toEqual(told);
    expect(listener.messages.map(({ event, id }) => [event, id])).toEqual(
      listener.events.map(({ name, id }) => [name, id]),
    );
    const [first] = listener.events;
    expect(first).toEqual(dataOf(await api.get(`/v2/events/get?id=${first?.id}`)));
    expect(Object.fromEntries(listener.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    expect(listener.headers.get('content-encoding')).toBeNull();
  });

  it('is told of the names that they name, and told which they may', async () => {
    const { api, happen } = await openStore();
    using listener = await listen(api, { query: '?names=payout.completed,payout.failed' });
    await happen('transparent.completed');
    const told = await happen('payout.completed');
    await listener.waitForEvents(1);
    expect(subjects(listener.events)).toEqual([told]);
    const answer = await api.get('/v2/events/stream?names=payout.complete');
    expect([answer.status, answer.json.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.json.error).toMatch(/^names.*such as transparent\.completed/);
  });

  it('goes on after what they have been told of, or after nothing, and misses nothing', async () => {
    const { api, happen } = await openStore();
    using ofNothing = await listen(api);
    expect(ofNothing.lastId()).toBe('0');
    const told = [await happen(), await happen(), await happen()];
    using all = await listen(api, { after: '0' });
    await all.waitForEvents(3);
    expect(subjects(all.events)).toEqual(told);
    using rest = await listen(api, { after: all.events[0]?.id ?? '' });
    await rest.waitForEvents(2);
    expect(subjects(rest.events)).toEqual(told.slice(1));
    // Where a stream begins is said too, as it may end before its first event.
    await eventually(async () => {
      using late = await listen(api);
      expect(late.lastId()).toBe(all.events[2]?.id);
    });
  });

  it('is told in an order that stays, whichever transaction commits first', async () => {
    const { api, storeId, happen: happenNow } = await openStore();
    using listener = await listen(api);
    const slow = app.database.em.fork();
    await slow.begin();
    const early = await happen(slow, storeId);
    const late = await happenNow();
    // Of another store, to see that rounds have passed.
    const other = await openStore();
    using passing = await listen(other.api, { after: '0' });
    await slow.commit();
    await other.happen();
    await passing.waitForEvents(1);
    await listener.waitForEvents(2);
    expect(subjects(listener.events)).toEqual([early, late]);
    using resumed = await listen(api, { after: listener.events[0]?.id ?? '' });
    await resumed.waitForEvents(1);
    expect(subjects(resumed.events)).toEqual([late]);
  });

  it('is not told of another store, of the other environment, or without the permission', async () => {
    const { api, storeId, happen: happenHere } = await openStore();
    const other = await openStore();
    await other.happen();
    await happen(app.database.em.fork(), storeId, 'payout.completed', false);
    const told = await happenHere();
    using listener = await listen(api, { after: '0' });
    await listener.waitForEvents(1);
    expect(subjects(listener.events)).toEqual([told]);
    const [theirs] = dataOf<EventView[]>(await other.api.get('/v2/events/list'));
    for (const id of [theirs?.id ?? '', 'evnt_01J9Z40TQ4D2C8B6A1Z3Y5X7WV', "'"]) {
      const answer = await api.get('/v2/events/stream', { headers: { 'Last-Event-ID': id } });
      expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND']);
    }
    const without = await app.clientWith({ storeId, permissions: ['CHECKOUT:READ'] });
    expect(await without.get('/v2/events/stream')).toMatchObject({ status: 403 });
  });

  it('is told no more once their key is revoked', async () => {
    const { api, storeId } = await openStore();
    const { api: stays } = { api: await app.clientWith({ storeId }) };
    using listener = await listen(api);
    using staying = await listen(stays);
    await revokeKey(app.database.em.fork(), await keyIdOf(api), new Date());
    await waitFor(listener.hasEnded);
    expect(staying.hasEnded()).toBe(false);
  });

  it.each([
    ['has expired', { expiresAt: new Date(1) }],
    ['is allowed from other addresses only', { allowedNetworks: ['192.0.2.0/24'] }],
  ])('is sent nothing more once their key %s', async (_, limits) => {
    const { api, storeId, happen: happenHere } = await openStore();
    const stays = await app.clientWith({ storeId });
    using listener = await listen(api);
    using staying = await listen(stays);
    await limitServingKey(app.database.em.fork(), await keyIdOf(api), limits, new Date(0));
    const late = await happenHere();
    await waitFor(listener.hasEnded);
    await staying.waitForEvents(1);
    expect(subjects(staying.events)).toEqual([late]);
    expect(listener.events).toEqual([]);
  });

  it('has ten streams of a store at most, and another one once one has ended', async () => {
    const { api } = await openStore();
    const listeners = await Promise.all(Array.from({ length: 10 }, () => listen(api)));
    const refused = await api.get('/v2/events/stream');
    expect([refused.status, refused.json.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(refused.headers.get('retry-after')).toBe('10');
    const [first, ...others] = listeners;
    first?.[Symbol.dispose]();
    let next: Awaited<ReturnType<typeof listen>> | undefined;
    await waitFor(async () => {
      next = await listen(api).catch(() => undefined);
      return next !== undefined;
    });
    for (const each of [...others, next]) each?.[Symbol.dispose]();
  });
});

describe('the streams of a process', () => {
  const streamsOf = () => new EventStreams(app.database, createLogger('silent'));

  it('keep little for a client that does not read, and lose nothing for them', async () => {
    const { api, storeId } = await openStore();
    const caller = await findCaller(app.database, api.key);
    if (caller === null) throw new Error('the key does not serve');
    const em = app.database.em.fork();
    const told: string[] = [];
    await em.transactional(async (tx) => {
      for (let count = 0; count < 600; count += 1) told.push(await happen(tx, storeId));
    });
    const streams = streamsOf();
    const listener = { id: keyAtAddress({ ...caller, address: '127.0.0.1' }), stillServing: servingKeys };
    const subscription = {
      caller,
      listener,
      place: FIRST_PLACE,
      names: null,
      subscribed: [],
      format: eventMessage,
    };
    const stream = streams.open(subscription);
    await waitFor(() => stream.readableLength >= stream.readableHighWaterMark);
    expect(stream.readableLength).toBeLessThan(2 * stream.readableHighWaterMark);
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    const subjectsOf = () => [...text.matchAll(/"subjectIds":\["([^"]*)"/g)].map(([, id]) => id);
    await waitFor(() => subjectsOf().length >= told.length);
    expect(new Set(subjectsOf())).toEqual(new Set(told));
    expect(subjectsOf()).toHaveLength(told.length);
    await streams.close();
    await waitFor(() => stream.readableEnded);
    expect(() => streams.open(subscription)).toThrow('stopping');
  });
});
