import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import { createTestDatabase } from '../support/rows/database.ts';

const POOL_SIZE = 2;

let operator: Awaited<ReturnType<typeof createTestDatabase>>;
let service: Database;

beforeAll(async () => {
  operator = await createTestDatabase();
  service = await openDatabase(operator.url, POOL_SIZE);
});

afterAll(async () => {
  await service.close(true);
  await operator.drop();
});

it('returns broken connections to the pool, which never runs out', async () => {
  for (let failures = 0; failures <= POOL_SIZE; failures += 1) {
    const broken = service.em.fork().transactional(async (em) => {
      const [row] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
      // As a network that breaks, or a restart of Postgres.
      await operator.database.em.fork().execute(`select pg_terminate_backend(${row?.pid})`);
      await em.execute('select 1');
    });
    await expect(broken).rejects.toThrow();
  }
  const all = Array.from({ length: POOL_SIZE }, () => service.em.fork().execute('select 1 as answer'));
  expect(await Promise.all(all)).toEqual(all.map(() => [{ answer: 1 }]));
});
