import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoreId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/role.ts';
import { DownloadSlots } from '../../../src/web/dashboard/exports/download-slots.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { fill } from '../../support/rows/fill.ts';
import { eventually } from '../../support/waiting/eventually.ts';

/** With 5 KB each: more than the buffers of a connection hold, also compressed. */
const CHARGES = 3_000;

let app: TestApp;
let storeId: StoreId;
let otherStoreId: StoreId;
beforeAll(async () => {
  app = await createTestApp();
  ({ id: storeId } = await createTestStore(app.database));
  ({ id: otherStoreId } = await createTestStore(app.database));
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

it.each(['identity', 'gzip'])("makes room for the owner's export (%s)", async (encoding) => {
  const [{ user: viewer }, { user: owner }] = [await member('viewer'), await member('owner')];
  const first = await slowly(viewer, encoding);
  const second = await slowly(viewer, encoding);
  const file = await owner.get(path());
  expect([file.status, file.html.split('\r\n').length]).toEqual([200, CHARGES + 2]);
  expect(await isWhole(first)).toBe(false);
  expect(await isWhole(second)).toBe(true);
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

describe('DownloadSlots', () => {
  /** Starts a download that lasts until it is aborted or ended. */
  const start = (slots: DownloadSlots, store: StoreId, personId: string) => {
    const download = { state: 'waiting', end: () => {} };
    const work = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        download.state = 'running';
        download.end = resolve;
        const abort = () => {
          download.state = 'aborted';
          resolve();
        };
        signal.addEventListener('abort', abort);
        if (signal.aborted) abort();
      });
    slots.run({ storeId: store, personId }, work).catch(() => {
      download.state = 'refused';
    });
    return download;
  };
  const limits = { count: 3, perStore: 2, waitMs: 200 };
  const statesOf = (downloads: readonly { readonly state: string }[]) => downloads.map(({ state }) => state);

  it('gives a slot to the person with fewer downloads before others that wait', async () => {
    const slots = new DownloadSlots({ ...limits, waitMs: 60_000 });
    const eve = [1, 2, 3, 4].map(() => start(slots, storeId, 'eve'));
    const ana = start(slots, storeId, 'ana');
    await eventually(() =>
      expect(statesOf([...eve, ana])).toEqual(['aborted', 'running', 'waiting', 'waiting', 'running']),
    );
    ana.end();
    await eventually(() => expect(statesOf(eve)).toEqual(['aborted', 'running', 'running', 'waiting']));
    for (let left = 3; left > 0; left--) for (const download of eve) download.end();
  });

  it("takes a slot of the process from a person's downloads of two stores", async () => {
    const slots = new DownloadSlots(limits);
    const eve = [storeId, storeId, otherStoreId].map((store) => start(slots, store, 'eve'));
    const ana = start(slots, otherStoreId, 'ana');
    await eventually(() =>
      expect(statesOf([...eve, ana])).toEqual(['aborted', 'running', 'running', 'running']),
    );
    for (const download of [...eve, ana]) download.end();
  });

  it('refuses a person if everyone has a fair share', async () => {
    const slots = new DownloadSlots(limits);
    const running = [start(slots, storeId, 'eve'), start(slots, storeId, 'bia')];
    const ana = start(slots, storeId, 'ana');
    await eventually(() => expect(ana.state).toBe('refused'));
    expect(statesOf(running)).toEqual(['running', 'running']);
    for (const download of running) download.end();
  });
});
