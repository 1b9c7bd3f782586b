import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryId } from '../../src/domain/ids.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';
import { type Passage, passageTo, reportToBreaker } from '../../src/webhooks/endpoint-breaker.ts';
import { type DeliveryToAttempt, loadAttempt } from '../../src/webhooks/load-attempt.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';

const SECOND_MS = 1_000;
const HUNG = { outcome: 'failed', durationMs: 30 * SECOND_MS } as PostResult;
const REFUSED = { outcome: 'failed', durationMs: 20 } as PostResult;
const SLOW_BUT_TAKEN = { outcome: 'delivered', durationMs: 15 * SECOND_MS } as PostResult;

let fixture: BareFixture;
beforeAll(async () => {
  fixture = await createBareFixture();
});
afterAll(() => fixture.close());

/** A delivery to an endpoint of its own, and the time that passes for it. */
class Endpoint {
  nowMs = Date.parse('2026-03-06T12:00:00Z');
  readonly #delivery: DeliveryId;

  private constructor(delivery: DeliveryId) {
    this.#delivery = delivery;
  }

  static async create(): Promise<Endpoint> {
    const webhook = await insertWebhook(fixture.database, { storeId: fixture.storeId });
    return new Endpoint((await insertDelivery(fixture.database, webhook)).id);
  }

  load(): Promise<DeliveryToAttempt> {
    return loadAttempt(fixture.database, this.#delivery, 'key');
  }

  async passage(found?: DeliveryToAttempt): Promise<Passage> {
    return passageTo(fixture.database, found ?? (await this.load()), this.nowMs);
  }

  /** One attempt, as the worker makes it where the breaker lets it through. */
  async attempt(result: PostResult): Promise<Passage> {
    const found = await this.load();
    const passage = await this.passage(found);
    if (typeof passage === 'object') return passage;
    await reportToBreaker(fixture.database, found, result, {
      nowMs: this.nowMs,
      isProbe: passage === 'PROBE',
    });
    this.nowMs += result.durationMs;
    return passage;
  }

  async attempts(result: PostResult, count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) await this.attempt(result);
  }
}

describe('an endpoint that hangs', () => {
  it('is paused for half a minute at the fifth attempt in a row, for all workers', async () => {
    const endpoint = await Endpoint.create();
    await endpoint.attempts(HUNG, 4);
    expect(await endpoint.passage()).toBe('FREE');
    await endpoint.attempt(HUNG);
    expect(await endpoint.passage()).toEqual({ pausedForMs: 30 * SECOND_MS });
  });

  it('is not paused for longer by attempts that were under way as it was paused', async () => {
    const endpoint = await Endpoint.create();
    const found = await endpoint.load();
    const hang = { nowMs: endpoint.nowMs, isProbe: false };
    await Promise.all(Array.from({ length: 50 }, () => reportToBreaker(fixture.database, found, HUNG, hang)));
    endpoint.nowMs += HUNG.durationMs;
    expect(await endpoint.passage()).toEqual({ pausedForMs: 30 * SECOND_MS });
  });

  it('is then probed by one of all who come at once, and paused for twice as long with each probe that hangs, up to five minutes', async () => {
    const endpoint = await Endpoint.create();
    await endpoint.attempts(HUNG, 5);
    for (const pauseS of [60, 120, 240, 300, 300]) {
      const paused = await endpoint.passage();
      endpoint.nowMs += typeof paused === 'object' ? paused.pausedForMs : 0;
      const found = await endpoint.load();
      const passages = await Promise.all(Array.from({ length: 10 }, () => endpoint.passage(found)));
      expect(passages.filter((passage) => passage === 'PROBE')).toHaveLength(1);
      await reportToBreaker(fixture.database, found, HUNG, { nowMs: endpoint.nowMs, isProbe: true });
      endpoint.nowMs += HUNG.durationMs;
      expect(await endpoint.passage()).toEqual({ pausedForMs: pauseS * SECOND_MS });
    }
  });

  it('is probed by another worker where the one that probed it has died', async () => {
    const endpoint = await Endpoint.create();
    await endpoint.attempts(HUNG, 5);
    endpoint.nowMs += 30 * SECOND_MS;
    expect(await endpoint.passage()).toBe('PROBE');
    endpoint.nowMs += 45 * SECOND_MS;
    expect(await endpoint.passage()).toBe('PROBE');
  });

  it.each([
    ['takes a webhook', SLOW_BUT_TAKEN],
    ['refuses one at once', REFUSED],
  ])('is free again as soon as it %s', async (_, answer) => {
    const endpoint = await Endpoint.create();
    await endpoint.attempts(HUNG, 5);
    endpoint.nowMs += 30 * SECOND_MS;
    expect(await endpoint.attempt(answer)).toBe('PROBE');
    expect(await endpoint.load()).toMatchObject({ hasHung: false, pausedUntil: null });
  });
});

describe('an endpoint that answers', () => {
  it.each([
    ['slowly', SLOW_BUT_TAKEN],
    ['with refusals', REFUSED],
  ])('%s is never paused', async (_, answer) => {
    const endpoint = await Endpoint.create();
    await endpoint.attempts(answer, 10);
    expect(await endpoint.passage()).toBe('FREE');
  });

  it('now and then is never paused: only what hangs in a row counts', async () => {
    const endpoint = await Endpoint.create();
    for (let round = 0; round < 3; round += 1) {
      await endpoint.attempts(HUNG, 4);
      await endpoint.attempt(REFUSED);
    }
    expect(await endpoint.passage()).toBe('FREE');
  });
});
