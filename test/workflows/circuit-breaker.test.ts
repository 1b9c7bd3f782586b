import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryId } from '../../src/domain/ids.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';
import { type Passage, passageTo, reportToBreaker } from '../../src/webhooks/circuit-breaker.ts';
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

/** An endpoint with one delivery and its own clock. */
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

  /** Makes one attempt as the worker does, if the breaker lets it through. */
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
  it('pauses an endpoint for 30 seconds after five attempts in a row hung', async () => {
    const endpoint = await Endpoint.create();
    await endpoint.attempts(HUNG, 4);
    expect(await endpoint.passage()).toBe('FREE');
    await endpoint.attempt(HUNG);
    expect(await endpoint.passage()).toEqual({ pausedForMs: 30 * SECOND_MS });
  });

  it('extends no pause if attempts hang that were already under way', async () => {
    const endpoint = await Endpoint.create();
    const found = await endpoint.load();
    const hang = { nowMs: endpoint.nowMs, isProbe: false };
    await Promise.all(Array.from({ length: 50 }, () => reportToBreaker(fixture.database, found, HUNG, hang)));
    endpoint.nowMs += HUNG.durationMs;
    expect(await endpoint.passage()).toEqual({ pausedForMs: 30 * SECOND_MS });
  });

  it('sends one probe after each pause and doubles the pause up to five minutes', async () => {
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

  it('sends another probe 45 seconds after one without a result', async () => {
    const endpoint = await Endpoint.create();
    await endpoint.attempts(HUNG, 5);
    endpoint.nowMs += 30 * SECOND_MS;
    expect(await endpoint.passage()).toBe('PROBE');
    endpoint.nowMs += 45 * SECOND_MS;
    expect(await endpoint.passage()).toBe('PROBE');
  });

  it.each([
    ['accepts a webhook', SLOW_BUT_TAKEN],
    ['refuses a webhook at once', REFUSED],
  ])('ends the pause of an endpoint as soon as it %s', async (_, answer) => {
    const endpoint = await Endpoint.create();
    await endpoint.attempts(HUNG, 5);
    endpoint.nowMs += 30 * SECOND_MS;
    expect(await endpoint.attempt(answer)).toBe('PROBE');
    expect(await endpoint.load()).toMatchObject({ hasHung: false, pausedUntil: null });
  });
});

describe('an endpoint that answers', () => {
  it.each([
    ['accepts slowly', SLOW_BUT_TAKEN],
    ['refuses every webhook', REFUSED],
  ])('never pauses an endpoint that %s', async (_, answer) => {
    const endpoint = await Endpoint.create();
    await endpoint.attempts(answer, 10);
    expect(await endpoint.passage()).toBe('FREE');
  });

  it('never pauses an endpoint that hangs four times in a row and then answers', async () => {
    const endpoint = await Endpoint.create();
    for (let round = 0; round < 3; round += 1) {
      await endpoint.attempts(HUNG, 4);
      await endpoint.attempt(REFUSED);
    }
    expect(await endpoint.passage()).toBe('FREE');
  });
});
