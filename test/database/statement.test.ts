import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityMetadata } from '@mikro-orm/core';
import { keepNumbers } from '../../src/database/encryption/sealed-text.ts';
import { CouponEntity } from '../../src/database/entities/coupon.ts';
import type { Em } from '../../src/database/orm.ts';
import { type Columns, statement } from '../../src/database/statement.ts';
import { costSoFar, NO_COST, withCostCounted } from '../../src/request-cost.ts';
import { PersonalNumbers } from '../../src/secrets/personal-numbers.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  keepNumbers(test.database, PersonalNumbers.withKey(randomBytes(32), true));
});
afterAll(() => test.drop());

/** A value of each type of column that is another one on its way back, were it read carelessly. */
const VALUES: Readonly<Record<string, unknown>> = {
  text: `it's "quoted" and \\ a :colon, $1 ? ção 🙂`,
  boolean: true,
  int: 2_147_483_647,
  smallint: 32_767,
  bigint: 9_007_199_254_740_991,
  timestamptz: new Date('2026-11-21T02:59:59.007Z'),
  json: { text: `"'\\?:x $1`, list: [1, null, { deep: true }], empty: {}, number: 1.5, none: null },
  'text[]': ['plain', 'with "quotes", commas', 'back\\slash', '', '{}'],
};

/**
 * In a transaction that is rolled back, without checks and keys to other tables that made-up rows would
 * break.
 */
async function withoutRules(work: (em: Em) => Promise<void>): Promise<void> {
  const em = test.database.em.fork();
  await em.begin();
  try {
    await em.execute('set local session_replication_role = replica');
    const checks = await em.execute<{ sql: string }[]>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as sql
       from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`,
    );
    for (const { sql } of checks) await em.execute(sql);
    // A trigger fills what is lazy, and triggers are off.
    for (const { tableName, props } of test.database.getMetadata().getAll().values())
      for (const { fieldNames } of props.filter(({ lazy, nullable }) => lazy && nullable !== true))
        await em.execute(`alter table ${tableName} alter column ${fieldNames[0]} drop not null`);
    await work(em);
  } finally {
    await em.rollback();
  }
}

function rowOf({ props }: EntityMetadata, isFilled: boolean): Record<string, unknown> {
  return Object.fromEntries(
    // Postgres writes lazy columns, and only queries that name them read them.
    props
      .filter(({ lazy }) => !lazy)
      .map(({ name, nullable, columnTypes }) => {
        const value = VALUES[columnTypes[0] ?? ''];
        if (value === undefined) throw new Error(`there is no value for a column of ${columnTypes}`);
        return [name, nullable && !isFilled ? null : value];
      }),
  );
}

describe('a row', () => {
  it.each([
    ['with every column filled', true],
    ['with null wherever it may be', false],
  ])('writes and reads a row of every entity as the EntityManager does, %s', async (_, isFilled) => {
    await withoutRules(async (em) => {
      for (const meta of test.database.getMetadata().getAll().values()) {
        // A join that is read as if it were a table, which nothing is written to.
        if (meta.expression !== undefined) continue;
        const entity = meta.class;
        const { tableName } = meta;
        const insert = statement<{ row: object }>(
          `insert ${isFilled} ${tableName}`,
          (columns: Columns) =>
            `insert into ${tableName} (${columns.of(entity)}) values (${columns.values(entity, 'row')})`,
        );
        const read = statement<object, object>(
          `read ${isFilled} ${tableName}`,
          (columns: Columns) => `select ${columns.read(entity, 'r')} from ${tableName} r`,
        );
        const row = rowOf(meta, isFilled);
        await insert(em, { row });
        const found = await em.find(entity, {}, { disableIdentityMap: true });
        expect({ tableName, rows: found.map((each) => ({ ...each })) }).toEqual({ tableName, rows: [row] });
        expect({ tableName, rows: await read(em, {}) }).toEqual({ tableName, rows: [row] });

        await em.nativeDelete(entity, {});
        await em.insert(entity, row);
        expect({ tableName, rows: await read(em, {}) }).toEqual({ tableName, rows: [row] });
      }
    });
  });
});

describe('a statement', () => {
  const count = statement<{ notes: string }, { count: number }>(
    'count coupons',
    (columns) =>
      `select count(*) from (select ${columns.of(CouponEntity)} from coupons where notes = :notes) as of`,
  );
  const add = (em: Em, id: string) =>
    em.execute(
      `insert into coupons (id, store_id, dev_mode, code, discount_kind, discount_value, max_redeems, redeems_count,
         reserved_count, status, notes, metadata, created_at, updated_at)
       select :id, id, true, :id, 'FIXED', 1, -1, 0, 0, 'ACTIVE', 'counted', '{}', now(), now() from stores`,
      { id },
    );
  const counted = async (em: Em) => (await count(em, { notes: 'counted' }))[0]?.count;

  it('runs in the transaction of its EntityManager, and in a nested one', async () => {
    const em = test.database.em.fork();
    await em.execute(
      `insert into stores (id, name, city, created_at) values ('store_1', 'Loja', 'SP', now())`,
    );
    await em.transactional(async (tx) => {
      await add(tx, 'one');
      expect(await counted(tx)).toBe(1);
      expect(await counted(em)).toBe(0);
      await tx
        .transactional(async (nested) => {
          await add(nested, 'two');
          expect(await counted(nested)).toBe(2);
          throw new Error('taken back');
        })
        .catch(() => undefined);
      expect(await counted(tx)).toBe(1);
    });
    expect(await counted(em)).toBe(1);
  });

  it('prepares the statement by its name once per connection', async () => {
    await test.database.em.fork().transactional(async (tx) => {
      await counted(tx);
      await counted(tx);
      const prepared = await tx.execute(
        `select (generic_plans + custom_plans)::int >= 2 as again from pg_prepared_statements where name = 'count coupons'`,
      );
      expect(prepared).toEqual([{ again: true }]);
    });
  });

  it('reads a field of null as null, and refuses to run without a parameter', async () => {
    const inside = statement<{ given: { text?: string } | null }, { text: string | null }>(
      'parameter inside another',
      () => 'select :given.text::text as text',
    );
    const em = test.database.em.fork();
    expect(await inside(em, { given: { text: 'there' } })).toEqual([{ text: 'there' }]);
    expect(await inside(em, { given: null })).toEqual([{ text: null }]);
    await expect(inside(em, { given: {} })).rejects.toThrow('was not given given.text');
  });

  it.each([
    ['by itself', async (work: (em: Em) => Promise<unknown>) => work(test.database.em.fork())],
    ['in a transaction', (work: (em: Em) => Promise<unknown>) => test.database.em.fork().transactional(work)],
  ])("counts its duration and its rows as the request's own: %s", async (_, within) => {
    const sleep = statement<object, { text: string }>(
      'sleep',
      () => `select repeat('x', 100) as text from generate_series(1, 100000), (select pg_sleep(0.1)) slept`,
    );
    let cost = NO_COST;
    await withCostCounted(async () => {
      await within((em) => sleep(em, {}));
      cost = costSoFar();
    });
    expect(cost.postgresMs).toBeGreaterThan(95);
    // To read so many rows takes some 30 ms, and to ask for them less than one.
    expect(cost.mainThreadMs).toBeGreaterThan(5);
  });

  it('leaves the connection usable after a statement fails', async () => {
    const divide = statement<{ by: number }, { result: number }>(
      'divide',
      () => 'select 1 / :by::integer as result',
    );
    const em = test.database.em.fork();
    await expect(divide(em, { by: 0 })).rejects.toThrow('division by zero');
    expect(await divide(em, { by: 1 })).toEqual([{ result: 1 }]);
  });
});
