import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Counted } from '../../src/http/anonymous-traffic.ts';
import { LIMITS } from '../../src/http/request-and-guess-limits.ts';
import { TrafficLimiter } from '../../src/http/traffic-limiter.ts';
import { createLogger } from '../../src/log.ts';
import { createTestApp, TEST_CONFIG, type TestApp } from '../support/api/app.ts';

const USED_UP: Counted = ['wrongPasswordsOfAccount', 'somebody'];

let app: TestApp;
let trafficLimiter: TrafficLimiter;
beforeAll(async () => {
  app = await createTestApp();
  trafficLimiter = new TrafficLimiter(app.database, TEST_CONFIG, createLogger('silent'));
});
afterAll(() => app.close());
beforeEach(async () => {
  await em().execute('delete from anonymous_traffic');
  for (let count = 0; count < LIMITS.wrongPasswordsOfAccount.points; count += 1)
    await trafficLimiter.countKnown(USED_UP);
});

const em = () => app.database.em.fork();
async function pointsOf([limit, of]: Counted): Promise<number> {
  const [row] = await em().execute<{ points: number }[]>(
    'select points from anonymous_traffic where key = ?',
    [`${limit}:${of}`],
  );
  return row?.points ?? 0;
}

it('gives back what a refused request counted towards earlier limits', async () => {
  const before: Counted = ['wrongPasswordsOfAddress', '192.0.2.7'];
  expect(await trafficLimiter.countKnown(before, USED_UP)).toBeGreaterThan(0);
  expect(await pointsOf(before)).toBe(0);
});

it('keeps counts that are never undone, and those of the limit that refused', async () => {
  const before: Counted = ['portalCodesOfAddress', '192.0.2.7'];
  await trafficLimiter.countKnown(before, USED_UP);
  expect(await pointsOf(before)).toBe(1);
  expect(await pointsOf(USED_UP)).toBe(LIMITS.wrongPasswordsOfAccount.points + 1);
});

it('counts no refused attempt of a signed-in person', async () => {
  const attempt: Counted = ['wrongStepUpsOfSession', 'sess_1'];
  const { points } = LIMITS.wrongStepUpsOfSession;
  // Far more than a flood of strangers, which one process would remember.
  const counts = await Promise.all(Array.from({ length: 150 }, () => trafficLimiter.countKnown(attempt)));
  expect(counts.filter((seconds) => seconds === null)).toHaveLength(points);
  expect(await pointsOf(attempt)).toBe(points);
  await trafficLimiter.uncountKnown(attempt);
  expect(await trafficLimiter.countKnown(attempt)).toBeNull();
});
