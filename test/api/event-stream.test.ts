import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStreams } from '../../src/api/events/event-streams.ts';
import { FIRST_PLACE } from '../../src/api/events/events-in-order.ts';
import { beginningAt, eventMessage } from '../../src/api/events/routes.ts';
import type { EventView } from '../../src/api/events/schema.ts';
import { keyAtAddress, servingKeys } from '../../src/api/events/serving-keys.ts';
import { StoreTurns } from '../../src/api/events/store-turns.ts';
import { findCaller } from '../../src/api/keys/caller.ts';
import { limitServingKey, revokeKey } from '../../src/cli/keys.ts';
import type { Em } from '../../src/database/orm.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { EVENTS } from '../../src/events/events.ts';
import { writeEvent } from '../../src/events/record.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { listen } from '../support/api/event-stream.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
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
  it('sends new events uncompressed, as events/get returns them', async () => {
    const { api, happen } = await openStore();
    using listener = await listen(api);
    const sent = [await happen('transparent.completed'), await happen()];
    await listener.waitForEvents(2);
    expect(subjects(listener.events)).toEqual(sent);
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

  it('sends only the named events and lists valid names for an unknown one', async () => {
    const { api, happen } = await openStore();
    using listener = await listen(api, { query: '?names=payout.completed,payout.failed' });
    await happen('transparent.completed');
    const sent = await happen('payout.completed');
    await listener.waitForEvents(1);
    expect(subjects(listener.events)).toEqual([sent]);
    const answer = await api.get('/v2/events/stream?names=payout.complete');
    expect([answer.status, answer.json.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.json.error).toMatch(/^names.*such as transparent\.completed/);
  });

  it('resumes after the last received event, or from the start, without gaps', async () => {
    const { api, happen } = await openStore();
    using ofNothing = await listen(api);
    expect(ofNothing.lastId()).toBe('0');
    const sent = [await happen(), await happen(), await happen()];
    using all = await listen(api, { after: '0' });
    await all.waitForEvents(3);
    expect(subjects(all.events)).toEqual(sent);
    using rest = await listen(api, { after: all.events[0]?.id ?? '' });
    await rest.waitForEvents(2);
    expect(subjects(rest.events)).toEqual(sent.slice(1));
    // The stream starts with the id of its position, because it may end before its first event.
    await eventually(async () => {
      using late = await listen(api);
      expect(late.lastId()).toBe(all.events[2]?.id);
    });
  });

  it('keeps one order of events, whichever transaction commits first', async () => {
    const { api, storeId, happen: happenNow } = await openStore();
    using listener = await listen(api);
    const slow = app.database.em.fork();
    await slow.begin();
    const early = await happen(slow, storeId);
    const late = await happenNow();
    // The event of another store shows that rounds of the stream have passed.
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

  it('never sends events of another store or environment, or without permission', async () => {
    const { api, storeId, happen: happenHere } = await openStore();
    const other = await openStore();
    await other.happen();
    await happen(app.database.em.fork(), storeId, 'payout.completed', false);
    const sent = await happenHere();
    using listener = await listen(api, { after: '0' });
    await listener.waitForEvents(1);
    expect(subjects(listener.events)).toEqual([sent]);
    const [theirs] = dataOf<EventView[]>(await other.api.get('/v2/events/list'));
    for (const id of [theirs?.id ?? '', 'evnt_01J9Z40TQ4D2C8B6A1Z3Y5X7WV', "'"]) {
      const answer = await api.get('/v2/events/stream', { headers: { 'Last-Event-ID': id } });
      expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND']);
    }
    const without = await app.clientWith({ storeId, permissions: ['CHECKOUT:READ'] });
    expect(await without.get('/v2/events/stream')).toMatchObject({ status: 403 });
  });

  it('ends the stream once its key is revoked', async () => {
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
  ])('ends the stream without another event once its key %s', async (_, limits) => {
    const { api, storeId, happen: happenHere } = await openStore();
    const stays = await app.clientWith({ storeId });
    using listener = await listen(api);
    using staying = await listen(stays);
    const keyId = await keyIdOf(api);
    const em = app.database.em.fork();
    await em.transactional((tx) => limitServingKey(tx, keyId, limits, new Date(0)));
    const late = await happenHere();
    await waitFor(listener.hasEnded);
    await staying.waitForEvents(1);
    expect(subjects(staying.events)).toEqual([late]);
    expect(listener.events).toEqual([]);
  });

  it('allows ten streams per store and another one after one has ended', async () => {
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
  const streamsOf = (rest: (storeId: StoreId) => Promise<void> = async () => undefined) =>
    new EventStreams(app.database, SILENT_LOG, { rest });
  const allServe = async (_: unknown, ids: readonly string[]) => new Set(ids);
  const from = (isBehind: boolean) => ({ place: FIRST_PLACE, isBehind, names: null, subscribed: [] });

  /** A program that listens to a store in this process and reads what it is sent. */
  function listenTo(streams: EventStreams, storeId: StoreId, isBehind = true, stillServing = allServe) {
    const caller = { storeId, devMode: true };
    const listener = { id: storeId, stillServing };
    const received: string[] = [];
    streams
      .open({ caller, listener, ...from(isBehind), format: eventMessage })
      .setEncoding('utf8')
      .on('data', (text: string) => received.push(...(text.match(/^id: evnt_.*$/gm) ?? [])));
    return received;
  }

  /** A store with events of one transaction. */
  async function storeWith(events: number) {
    const { storeId } = await openStore();
    const add = (count: number) =>
      app.database.em.fork().transactional(async (tx) => {
        for (let index = 0; index < count; index += 1) await happen(tx, storeId);
      });
    await add(events);
    return { storeId, add };
  }

  it('takes a stream of the store with the most for a store that has fewer', async () => {
    const streams = streamsOf();
    const ended = new Map<string, number>();
    const open = (storeId: string) => {
      const caller = { storeId: storeId as StoreId, devMode: true };
      const listener = { id: storeId, stillServing: allServe };
      const stream = streams.open({ caller, listener, ...from(true), format: eventMessage });
      stream.resume().on('end', () => ended.set(storeId, (ended.get(storeId) ?? 0) + 1));
    };
    for (let index = 0; index < 200; index += 1) open(`store_${Math.floor(index / 10)}`);
    for (let index = 0; index < 9; index += 1) open('store_new');
    await waitFor(() => ended.size === 9);
    expect(new Set(ended.values())).toEqual(new Set([1]));
    expect(() => open('store_new')).toThrow('Too many streams');
    expect(() => open('store_0')).toThrow('Too many streams');
    await streams.close();
  });

  it('keeps little in memory for a slow client and loses no event', async () => {
    const { api, storeId } = await openStore();
    const caller = await findCaller(app.database, api.key);
    if (caller === null) throw new Error('the key does not serve');
    const em = app.database.em.fork();
    const sent: string[] = [];
    await em.transactional(async (tx) => {
      for (let count = 0; count < 600; count += 1) sent.push(await happen(tx, storeId));
    });
    const streams = streamsOf();
    const listener = { id: keyAtAddress({ ...caller, address: '127.0.0.1' }), stillServing: servingKeys };
    const subscription = { caller, listener, ...from(true), format: eventMessage };
    const stream = streams.open(subscription);
    await waitFor(() => stream.readableLength >= stream.readableHighWaterMark);
    expect(stream.readableLength).toBeLessThan(2 * stream.readableHighWaterMark);
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    const subjectsOf = () => [...text.matchAll(/"subjectIds":\["([^"]*)"/g)].map(([, id]) => id);
    await waitFor(() => subjectsOf().length >= sent.length);
    expect(new Set(subjectsOf())).toEqual(new Set(sent));
    expect(subjectsOf()).toHaveLength(sent.length);
    await streams.close();
    await waitFor(() => stream.readableEnded);
    expect(() => streams.open(subscription)).toThrow('stopping');
  });

  it('reads old events page by page, stores in turns, with a pause after each', async () => {
    const [large, small] = [await storeWith(250), await storeWith(250)];
    const pauses: StoreId[] = [];
    const streams = streamsOf(async (storeId) => void pauses.push(storeId));
    const received = [large, large, large, small].map(({ storeId }) => listenTo(streams, storeId));
    await waitFor(() => received.every(({ length }) => length === 250));
    await streams.close();
    const [l, s] = [large.storeId, small.storeId];
    expect(pauses).toEqual([l, s, l, s, l, s, l, l, l, l, l, l]);
  });

  it('sends new events of a store during the pause of another one', async () => {
    const [old, live] = [await storeWith(250), await storeWith(0)];
    const streams = streamsOf(() => new Promise(() => undefined));
    const oldOnes = listenTo(streams, old.storeId);
    await waitFor(() => oldOnes.length > 0);
    const newOnes = listenTo(streams, live.storeId, false);
    await live.add(1);
    await waitFor(() => newOnes.length === 1);
    expect(oldOnes).toHaveLength(100);
    // A pause does not delay the end of the process either.
    await streams.close();
  });

  it('sends many new events at once in turns with the old ones of others', async () => {
    const busy = await storeWith(0);
    const pauses: StoreId[] = [];
    const streams = streamsOf(async (storeId) => void pauses.push(storeId));
    const received = listenTo(streams, busy.storeId, false);
    await busy.add(30);
    await waitFor(() => received.length === 30);
    expect(new Set(received).size).toBe(30);
    expect(pauses).toEqual([busy.storeId]);
    await busy.add(1);
    await waitFor(() => received.length === 31);
    expect(pauses).toEqual([busy.storeId]);
    await streams.close();
  });

  it('sends no further page of old events once the key has ended', async () => {
    const { storeId } = await storeWith(250);
    let isServing = true;
    const streams = streamsOf(async () => {
      isServing = false;
    });
    const stillServing = async (_: unknown, ids: readonly string[]) => new Set(isServing ? ids : []);
    const received = listenTo(streams, storeId, true, stillServing);
    await waitFor(() => received.length > 0 && !isServing);
    await streams.close();
    expect(received).toHaveLength(100);
  });
});

describe('which streams are behind', () => {
  it('reads the stream of a client that has missed nothing with the new events', async () => {
    const { api, happen } = await openStore();
    await happen();
    await happen();
    const caller = await findCaller(app.database, api.key);
    if (caller === null) throw new Error('the key does not serve');
    const [last, first] = dataOf<EventView[]>(await api.get('/v2/events/list'));
    const isBehind = async (id: string | null) => (await beginningAt(app.database, caller, id)).isBehind;
    expect(await isBehind(null)).toBe(false);
    // Once all earlier transactions of the server have ended.
    await eventually(async () => expect(await isBehind(last?.id ?? '')).toBe(false));
    expect(await isBehind(first?.id ?? '')).toBe(true);
    expect(await isBehind('0')).toBe(true);
  });

  it('remembers the turns of stores that have closed their streams', () => {
    const turns = new StoreTurns();
    const take = (...stores: string[]) => turns.take(new Set(stores as StoreId[]));
    expect([take('a', 'b', 'c'), take('b', 'c'), take('a', 'c'), take('a', 'b')]).toEqual([
      'a',
      'b',
      'c',
      'a',
    ]);
    expect(take()).toBeUndefined();
  });
});
