import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createKey, type GivenKey } from '../../src/api/keys/api-keys.ts';
import { createStore } from '../../src/cli/stores.ts';
import { openAttention } from '../../src/database/attention.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { createLogger } from '../../src/log.ts';
import { noteExpiringKeys } from '../../src/recovery/expiring-keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-20T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

let db: TestDatabase;
let storeId: StoreId;
let warned: unknown[];
beforeAll(async () => {
  db = await createTestDatabase();
  ({ id: storeId } = await createStore(db.database.em.fork(), { name: 'Loja', city: 'Recife' }, NOW));
});
beforeEach(async () => {
  warned = [];
  await db.database.em.fork().execute('delete from attention; delete from api_keys');
});
afterAll(() => db.drop());

async function key(given: Partial<GivenKey>, lastUsedDaysAgo: number | null = 1, madeDaysAgo = 90) {
  const all = { storeId, devMode: false, description: 'x', permissions: [], ...given };
  const { key: made } = await createKey(db.database.em.fork(), all, inDays(-madeDaysAgo));
  const used = lastUsedDaysAgo === null ? null : inDays(-lastUsedDaysAgo);
  await db.database.em.fork().execute('update api_keys set last_used_at = ? where id = ?', [used, made.id]);
  return made.id;
}

async function noted(now = NOW) {
  const log = createLogger('debug', { write: (line: string) => warned.push(JSON.parse(line)) });
  await noteExpiringKeys(db.database, now, log);
  return (await openAttention(db.database, 100)).map(({ kind, subjectId }) => [kind, subjectId]);
}

it('notes a key in use within seven days of its expiry, once', async () => {
  const id = await key({ expiresAt: inDays(7) });
  expect(await noted(NOW)).toEqual([]);
  for (const now of [new Date(NOW.getTime() + 1), inDays(1), inDays(6)])
    expect(await noted(now)).toEqual([['KEY_EXPIRES', id]]);
  expect(warned).toMatchObject([{ attention: 'KEY_EXPIRES', subjectId: id, storeId }]);
});

it('notes no key that is unused, short-lived, revoked, in dev mode or without expiry', async () => {
  await key({ expiresAt: inDays(3) }, null);
  await key({ expiresAt: inDays(3) }, 31);
  await key({ expiresAt: inDays(3) }, 1, 5);
  await key({ expiresAt: inDays(3), devMode: true });
  await key({});
  const revoked = await key({ expiresAt: inDays(3) });
  await db.database.em.fork().execute('update api_keys set revoked_at = ? where id = ?', [NOW, revoked]);
  expect(await noted()).toEqual([]);
});

it.each([
  ['is revoked', 'revoked_at', NOW],
  ['expires later', 'expires_at', inDays(60)],
  ['has expired', 'expires_at', inDays(-1)],
])('closes the note of a key that %s', async (_, column, value) => {
  const id = await key({ expiresAt: inDays(3) });
  expect(await noted()).toHaveLength(1);
  await db.database.em.fork().execute(`update api_keys set ${column} = ? where id = ?`, [value, id]);
  expect(await noted()).toEqual([]);
});
