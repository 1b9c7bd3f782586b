import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoreId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/role.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { fill } from '../../support/rows/fill.ts';

/** With 5 KB each: more than the buffers of a connection hold, also compressed. */
const CHARGES = 3_000;

let app: TestApp;
let storeId: StoreId;
beforeAll(async () => {
  app = await createTestApp();
  ({ id: storeId } = await createTestStore(app.database));
  await fill(app.database, [{ storeId, charges: CHARGES }]);
  await app.database.em.fork().execute(
    `update charges c set description = (
       select string_agg(md5(c.id || i), '') from generate_series(1, 160) i) where store_id = :storeId`,
    { storeId },
  );
});
afterAll(() => app.close());

let people = 0;
const member = async (role: Role) => {
  const email = `${role}-${++people}@example.com`;
  const user = await signedIn({ url: app.api.url, database: app.database }, storeId, role, email);
  return { user, email };
};
const path = () => `/dashboard/${storeId}/dev/exports/file?sheet=payments`;

/** A download whose browser does not read yet. */
function slowly(user: DashboardUser, encoding: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Cookie: user.cookieHeader, 'Accept-Encoding': encoding };
    get(new URL(path(), user.url), { headers, agent: false }, (answer) => resolve(answer.pause())).on(
      'error',
      reject,
    );
  });
}

/** Reads the rest of a download. @returns whether it is whole. */
async function isWhole(answer: IncomingMessage): Promise<boolean> {
  expect(answer.statusCode).toBe(200);
  answer.resume();
  await new Promise<void>((resolve) => answer.on('error', () => resolve()).on('close', resolve));
  return answer.complete;
}

it.each(['identity', 'gzip'])("sends the owner's export while viewers read slowly (%s)", async (encoding) => {
  const viewers = [await member('viewer'), await member('viewer')];
  const slow = [];
  for (const { user } of viewers) slow.push(await slowly(user, encoding));
  const { user: owner } = await member('owner');
  const file = await owner.get(path());
  expect([file.status, file.html.split('\r\n').length]).toEqual([200, CHARGES + 2]);
  for (const each of slow) expect(await isWhole(each)).toBe(true);
});

it('sends the files of one person one after the other, whichever session they use', async () => {
  const { user, email } = await member('viewer');
  const again = await signedIn({ url: app.api.url, database: app.database }, storeId, 'viewer', email);
  const first = await slowly(user, 'gzip');
  expect((await user.get(path().replace('/file', ''))).status).toBe(200);
  let hasBegun = false;
  const second = slowly(again, 'gzip').then((answer) => {
    hasBegun = true;
    return answer;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasBegun).toBe(false);
  // Reading it to its end may take longer than a second file waits.
  first.destroy();
  expect(await isWhole(await second)).toBe(true);
});

describe('a member who may no longer download', () => {
  const OF_MEMBER = 'user_id = (select id from users where email = :email)';
  it.each([
    ['is removed', `delete from memberships where ${OF_MEMBER}`, 'identity'],
    ['is removed, compressed', `delete from memberships where ${OF_MEMBER}`, 'gzip'],
    ['is signed out', `delete from sessions where ${OF_MEMBER}`, 'identity'],
    ['sees less in another role', `update memberships set role = 'viewer' where ${OF_MEMBER}`, 'identity'],
  ])('cuts the connection if its member %s', async (_, change, encoding) => {
    const { user, email } = await member('finance');
    const answer = await slowly(user, encoding);
    await app.database.em.fork().execute(change, { email });
    expect(await isWhole(answer)).toBe(false);
  });

  it('sends the whole file to a member who stays', async () => {
    const { user } = await member('finance');
    expect(await isWhole(await slowly(user, 'gzip'))).toBe(true);
  });
});
