import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** How much longer than `short` the processor is busy with `long`, in milliseconds. */
async function extraMs(work: (text: string) => Promise<unknown>, short: string, long: string) {
  await work(short);
  const [ofShort, ofLong] = [await busyMs(() => work(short)), await busyMs(() => work(long))];
  return ofLong - ofShort;
}

async function busyMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}

// Each request blocks all others, also payments of other stores. Quadratic work takes a second here, linear work milliseconds.

it('reads a parameter that is repeated thousands of times in no time', async () => {
  const signIn = (query: string) => fetch(new URL(`/dashboard/sign-in?${query}`, app.api.url));
  expect(await (await signIn('to=x&to=y&lang=en')).text()).toContain('Sign in');
  expect(await extraMs(signIn, 'a', 'a&'.repeat(7_500))).toBeLessThan(500);
});

it('reads a discount with thousands of blanks in no time', async () => {
  const owner = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner');
  const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
  const create = async (discount: string) => {
    for (let time = 0; time < 5; time++) {
      const fields = { code: 'LONG', discountKind: 'PERCENTAGE', discount };
      expect((await owner.submit(at('/new-coupon'), at('/coupons'), fields)).status).toBe(422);
    }
  };
  expect(await extraMs(create, 'x', `1${' '.repeat(15_000)}1`)).toBeLessThan(500);
});
