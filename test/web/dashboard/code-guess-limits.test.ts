import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { UserId } from '../../../src/domain/ids.ts';
import { TrafficLimiter } from '../../../src/http/traffic-limiter.ts';
import { type Device, newDevice, readDevice } from '../../../src/identity/device.ts';
import { createLogger } from '../../../src/log.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { limitCodes } from '../../../src/web/dashboard/frame/count-guesses.ts';
import { limitStepUps } from '../../../src/web/dashboard/frame/limit-step-ups.ts';
import { MemberQueue } from '../../../src/web/dashboard/frame/member-queue.ts';
import type { Refusal } from '../../../src/web/dashboard/frame/route.ts';
import type { Visit } from '../../../src/web/dashboard/frame/visit.ts';
import { createTestApp, TEST_CONFIG, type TestApp } from '../../support/api/app.ts';

const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);
const OWNER = { id: 'user_1' as UserId, passwordHash: 'a hash', secondFactorChangedAt: null };
const NOW = new Date();
const memberQueue = new MemberQueue();

let app: TestApp;
let trafficLimiter: TrafficLimiter;
beforeAll(async () => {
  app = await createTestApp();
  trafficLimiter = new TrafficLimiter(app.database, TEST_CONFIG, createLogger('silent'));
});
afterAll(() => app.close());
beforeEach(() => app.database.em.fork().execute('delete from anonymous_traffic'));

const device = (): Device | null => readDevice(KEYS, newDevice(KEYS, OWNER, NOW) ?? '', NOW);

/** Wrong codes through a day, more than each quarter of an hour accepts. @returns how many were compared. */
async function comparedInDay(guess: (compare: () => Promise<null>) => Promise<unknown>): Promise<number> {
  let compared = 0;
  const compare = async () => {
    compared += 1;
    return null;
  };
  for (let quarter = 0; quarter < 8; quarter += 1) {
    for (let count = 0; count < 12; count += 1)
      await guess(compare).catch(({ status }: Refusal) => expect(status).toBe(429));
    await app.database.em.fork().execute("delete from anonymous_traffic where key not like '%InDay:%'");
  }
  return compared;
}

/** A session that guesses the code of its person, from a browser that is a device of theirs or not. */
function step(factor: 'password' | 'code', ofDevice: Device | null, sessionId = 'sess_1') {
  const user = { id: OWNER.id, sessionId };
  const visit = {
    user,
    device: ofDevice,
    deps: { trafficLimiter, memberQueue },
    recordRefused: async () => {},
  };
  return <Result>(compare: () => Promise<Result | null>) =>
    limitStepUps(visit as unknown as Visit, OWNER, factor, compare);
}

describe('guesses of a second factor', () => {
  it('compares thirty wrong codes a day at sign-in', async () => {
    const guess = (compare: () => Promise<null>) =>
      limitCodes({ trafficLimiter, device: null, owner: OWNER }, compare);
    expect(await comparedInDay(guess)).toBe(30);
  });

  it('compares thirty more from a browser of the person', async () => {
    const own = device();
    const guess = (compare: () => Promise<null>) =>
      limitCodes({ trafficLimiter, device: own, owner: OWNER }, compare);
    expect(await comparedInDay(guess)).toBe(60);
  });

  it('compares thirty a day from all signed-in sessions of the person', async () => {
    expect(await comparedInDay(step('code', null))).toBe(30);
    expect(await comparedInDay(step('code', null, 'sess_2'))).toBe(0);
    expect(await comparedInDay(step('code', device()))).toBe(30);
  });

  it('accepts the right code of a known browser after them', async () => {
    await comparedInDay(step('code', null));
    const isRight = async () => true as const;
    expect(await limitCodes({ trafficLimiter, device: device(), owner: OWNER }, isRight)).toBe(true);
  });
});

it('compares passwords that signed-in people give again all day', async () => {
  expect(await comparedInDay(step('password', null))).toBe(80);
});

it.each(['a browser of the person', 'another browser'])(
  'accepts twenty right passwords at the same time, and then one more: %s',
  async (browser) => {
    const give = step('password', browser === 'another browser' ? null : device());
    const isRight = async () => true as const;
    expect(await Promise.all(Array.from({ length: 20 }, () => give(isRight)))).toEqual(Array(20).fill(true));
    expect(await give(isRight)).toBe(true);
  },
);
