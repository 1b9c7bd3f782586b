import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordAction } from '../../src/audit-log/record-action.ts';
import { auditHeads, verifyAudit } from '../../src/audit-log/verify-audit.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Actor } from '../../src/domain/audit-actor.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const AT = new Date('2026-11-20T12:00:00.123Z');
const ANA = 'store_A' as StoreId;
const BIA = 'store_B' as StoreId;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  for (const id of [ANA, BIA])
    await em().execute(
      `insert into stores (id, name, city, created_at) values ('${id}', 'Loja', 'SP', now())`,
    );
});
afterAll(() => db.drop());

beforeEach(async () => {
  await asSuperuser('truncate audit_lines, audit_chains, audit_checkpoints');
});

const em = () => db.database.em.fork();

/** As somebody does who owns the database and stops its triggers. */
function asSuperuser(sql: string): Promise<unknown> {
  return em().execute(`begin; set local session_replication_role = replica; ${sql}; commit`);
}

const cli = (storeId: StoreId | null): Actor => ({ kind: 'CLI', operator: 'ana', storeId });

async function record(storeId: StoreId | null, subjectId: string): Promise<void> {
  const done = { action: 'keys/create', subjectId, devMode: true, now: AT, details: { readOnly: true } };
  await em().transactional((tx) => recordAction(tx, cli(storeId), done));
}

const verify = (isFull = false) => verifyAudit(em(), AT, isFull);

describe('audit chains', () => {
  it('keeps chains whole when several stores write lines at once', async () => {
    const subjects = Array.from({ length: 10 }, (_, index) => `é_${index}`);
    await Promise.all(subjects.flatMap((subject) => [ANA, BIA, null].map((store) => record(store, subject))));
    const report = await verify();
    expect(report).toMatchObject({ lines: 30, faults: [] });
    expect(report.heads.map(({ chain, lines }) => [chain, lines])).toEqual([
      ['service', 10],
      [ANA, 10],
      [BIA, 10],
    ]);
  });

  it('reads only new lines after the last verified ones, and all on demand', async () => {
    await record(ANA, 'first');
    expect((await verify()).lines).toBe(1);
    await record(ANA, 'second');
    expect((await verify()).lines).toBe(1);
    expect((await verify()).lines).toBe(0);
    expect((await verify(true)).lines).toBe(2);
  });

  it('counts no line of a transaction that is rolled back', async () => {
    await record(ANA, 'first');
    const failing = em().transactional(async (tx) => {
      const done = { action: 'x', subjectId: null, devMode: null, now: AT };
      await recordAction(tx, cli(ANA), done);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await record(ANA, 'second');
    expect(await verify()).toMatchObject({ lines: 2, faults: [] });
  });
});

describe('audit verification', () => {
  beforeEach(async () => {
    for (const subject of ['first', 'second', 'third']) await record(ANA, subject);
    await record(BIA, 'other');
  });

  const POSITION_2 = `store_id = '${ANA}' and position = 2`;
  const HEAD = `update audit_chains set lines = 2, hash = (select hash from audit_lines where ${POSITION_2}) where chain = '${ANA}'`;

  it.each([
    ['a changed byte', `update audit_lines set subject_id = 'Second' where ${POSITION_2}`, 2, 'CHANGED'],
    [
      'another time',
      `update audit_lines set created_at = created_at + interval '1 microsecond' where ${POSITION_2}`,
      2,
      'CHANGED',
    ],
    ['another operator', `update audit_lines set operator = 'eva' where ${POSITION_2}`, 2, 'PERSON_CHANGED'],
    [
      'an operator without salt',
      `update audit_lines set salt = null where ${POSITION_2}`,
      2,
      'PERSON_CHANGED',
    ],
    ['a deleted line', `delete from audit_lines where ${POSITION_2}`, 2, 'MISSING'],
    [
      'a deleted last line',
      `delete from audit_lines where store_id = '${ANA}' and position = 3`,
      3,
      'MISSING',
    ],
    [
      'two lines in another order',
      `update audit_lines set position = 9 where ${POSITION_2};
       update audit_lines set position = 2 where store_id = '${ANA}' and position = 3;
       update audit_lines set position = 3 where store_id = '${ANA}' and position = 9`,
      2,
      'REORDERED',
    ],
    ['a chain that ends before its last line', HEAD, 3, 'MORE_THAN_HEAD'],
    ['a chain without its end', `delete from audit_chains where chain = '${ANA}'`, 3, 'NO_CHAIN'],
    ['another end', `update audit_chains set hash = 'x' where chain = '${ANA}'`, 3, 'HEAD_CHANGED'],
  ])('finds %s', async (_what, sql, position, problem) => {
    await asSuperuser(sql);
    const { faults } = await verify(true);
    expect(faults).toEqual([expect.objectContaining({ chain: ANA, position, problem })]);
  });

  it('finds a changed line before the last verified one only in a full check', async () => {
    await verify();
    await asSuperuser(`update audit_lines set subject_id = 'Second' where ${POSITION_2}`);
    expect((await verify()).faults).toEqual([]);
    expect((await verify(true)).faults).toMatchObject([{ position: 2, problem: 'CHANGED' }]);
  });

  it('finds an end cut off with its count, by a head kept elsewhere', async () => {
    const kept = await auditHeads(em());
    await asSuperuser(`${HEAD}; delete from audit_lines where store_id = '${ANA}' and position = 3`);
    expect((await verifyAudit(em(), AT, true)).faults).toEqual([]);
    const { faults } = await verifyAudit(em(), AT, true, kept);
    expect(faults).toEqual([{ chain: ANA, position: 3, lineId: null, problem: 'MISSING' }]);
  });

  it('finds an end cut off with its count after it was verified once', async () => {
    await verify();
    await asSuperuser(`${HEAD}; delete from audit_lines where store_id = '${ANA}' and position = 3`);
    expect((await verify()).faults).toMatchObject([{ chain: ANA, position: 3, problem: 'MISSING' }]);
  });
});

describe('changes of audit lines while triggers run', () => {
  it.each([
    `update audit_lines set action = 'nothing'`,
    `update audit_lines set operator = 'eva'`,
    `update audit_lines set position = position + 1`,
    'delete from audit_lines',
    'truncate audit_lines',
    `update audit_chains set lines = 0`,
    'delete from audit_chains',
    `insert into audit_chains values ('store_C', 0, '')`,
  ])('refuses the statement %s', async (sql) => {
    await record(ANA, 'first');
    await expect(em().execute(sql)).rejects.toThrow('stays as it was written down');
    expect((await verify(true)).faults).toEqual([]);
  });
});

describe('erasing people from audit lines', () => {
  const forget = (before: string) =>
    em().execute<{ erased: number }[]>(`select forget_audit_people(${before}, 100) as erased`);

  it('erases people from old lines once and keeps the chain valid', async () => {
    await record(ANA, 'first');
    await asSuperuser(`update audit_lines set created_at = now() - interval '1 year'`);
    await rehash();
    expect(await forget(`now() - interval '7 months'`)).toEqual([{ erased: 1 }]);
    const [line] = await em().execute<object[]>(
      `select operator, salt from audit_lines where store_id = '${ANA}'`,
    );
    expect(line).toEqual({ operator: null, salt: null });
    const written = `select actor_kind as kind, action, details from audit_lines where store_id is null`;
    expect(await em().execute(written)).toEqual([
      { kind: 'SYSTEM', action: 'audit/forget', details: expect.stringMatching(/"count":1}$/) },
    ]);
    expect((await verify(true)).faults).toEqual([]);
    expect(await forget(`now() - interval '7 months'`)).toEqual([{ erased: 0 }]);
  });

  it('refuses to delete lines of the last six months', async () => {
    await expect(forget(`now() - interval '5 months'`)).rejects.toThrow('Lei 12.965/2014');
  });

  /** The line as if it had been written at its time. */
  const rehash = () =>
    asSuperuser(`update audit_lines line set hash = audit_line_hash(line);
      update audit_chains set hash = (select hash from audit_lines)`);
});

describe('the migration', () => {
  const LINES_OF_BEFORE = `
    insert into stores (id, name, city, created_at) values ('${ANA}', '', '', now()), ('${BIA}', '', '', now());
    insert into users (id, email, name, created_at, updated_at) values ('user_1', 'ana@example.com', '', now(), now());
    insert into audit_lines (id, store_id, dev_mode, user_id, role, action, subject_id, address, submission, created_at)
      select 'audt_' || lpad(i::text, 4, '0'), case i % 2 when 0 then '${ANA}' else '${BIA}' end, null, 'user_1', 'owner',
        'sign-in', null, '192.0.2.x', null, now() + i * interval '1 second' from generate_series(1, 999) i`;
  const LINE_OF_BEFORE = `
    insert into audit_lines (id, store_id, dev_mode, user_id, role, action, subject_id, address, submission, created_at)
    values ('audt_late', '${ANA}', true, 'user_1', 'owner', 'sign-in', null, '192.0.2.x', 'form', now())
    on conflict do nothing returning 1`;

  it('chains lines of the previous release, also those that it still writes', async () => {
    const old = await createTestDatabase(null);
    await using closing = new AsyncDisposableStack();
    closing.defer(old.drop);
    await old.database.migrator.up({ to: '0042-who-has-invited' });
    await old.database.em.fork().execute(LINES_OF_BEFORE);
    await migrate(old.url);
    expect(await old.database.em.fork().execute(LINE_OF_BEFORE)).toHaveLength(1);
    expect(await old.database.em.fork().execute(LINE_OF_BEFORE)).toHaveLength(0);
    const report = await verifyAudit(old.database.em.fork(), AT, true);
    expect(report.faults).toEqual([]);
    expect(report.heads.map(({ lines }) => lines)).toEqual([500, 500]);
  });
});
