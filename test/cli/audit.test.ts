import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noteAttention, openAttention } from '../../src/database/attention.ts';
import { run } from '../support/cli/command.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const SECRETS_KEY = randomBytes(32).toString('base64');

let db: TestDatabase;
let store: string;
let folder: string;
beforeAll(async () => {
  db = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'recebe-audit-'));
  store = (await json("stores create --name 'Loja' --city 'Recife'")).id;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await db.drop();
});

const env = () => ({
  DATABASE_URL: db.url,
  RECEBE_OPERATOR: 'ana',
  SECRETS_KEY,
  PUBLIC_URL: 'https://x.test',
});
const cli = (args: string, more: Record<string, string> = {}) => run(args, { ...env(), ...more });
const em = () => db.database.em.fork();

async function json(args: string) {
  const { code, out, errors } = await cli(`${args} --json`);
  if (code !== 0) throw new Error(errors);
  return JSON.parse(out);
}

interface Line {
  readonly action: string;
  readonly operator: string;
  readonly store_id: string | null;
  readonly subject_id: string | null;
  readonly details: string | null;
}

const lines = (where = 'true') =>
  em().execute<Line[]>(`select * from audit_lines where ${where} order by created_at, id`);

/** The lines that `work` adds, as `action subject`. */
async function linesOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = new Set((await lines()).map(({ action, subject_id }) => `${action} ${subject_id}`));
  await work();
  const after = (await lines()).map(({ action, subject_id }) => `${action} ${subject_id}`);
  return after.filter((line) => !before.has(line));
}

function asSuperuser(sql: string): Promise<unknown> {
  return em().execute(`begin; set local session_replication_role = replica; ${sql}; commit`);
}

describe('audit lines of commands', () => {
  it('records changes of stores with the operator and the changed fields', async () => {
    await json(`stores update ${store} --website https://example.com`);
    const found = await lines(`store_id = '${store}' and action like 'stores/%'`);
    expect(found).toMatchObject([
      { action: 'stores/create', operator: 'ana', subject_id: store, actor_kind: 'CLI' },
      { action: 'stores/update', details: '{"fields":["website"]}' },
    ]);
  });

  it('records created and revoked keys, but no repeated revocation', async () => {
    const options = `--store ${store} --environment dev --description 'shop' --permissions all`;
    let id = '';
    expect(
      await linesOf(async () => {
        ({ id } = await json(`keys create ${options}`));
      }),
    ).toEqual([`keys/create ${id}`]);
    expect(await linesOf(() => json(`keys revoke ${id} --yes`))).toEqual([`keys/revoke ${id}`]);
    await json(`keys revoke ${id} --yes`);
    expect(await lines(`action = 'keys/revoke'`)).toHaveLength(1);
  });

  it('records members, and access links in each of their stores', async () => {
    const other = (await json("stores create --name 'Outra' --city 'Recife'")).id;
    for (const id of [store, other]) {
      await json(`users invite --store ${id} --email bia@example.com --role owner`);
      await em().execute(
        `insert into memberships (user_id, store_id, role, created_at) select id, '${id}', 'owner', now() from users`,
      );
    }
    await json('users sign-in-link --email bia@example.com');
    await json('users reset-password --email bia@example.com');
    const found = await lines(`action like 'team/%'`);
    const actions = ['team/invite', 'team/sign-in-link', 'team/reset-password'];
    for (const action of actions) {
      const ofStores = found.filter((line) => line.action === action).map(({ store_id }) => store_id);
      expect(new Set(ofStores)).toEqual(new Set([store, other]));
    }
    expect(found).toHaveLength(6);
    expect(JSON.stringify(found)).not.toContain('bia@');
    const subjects = (isInvitation: boolean) =>
      new Set(
        found
          .filter(({ action }) => (action === 'team/invite') === isInvitation)
          .map(({ subject_id }) => subject_id),
      );
    expect([...subjects(false)]).toEqual([expect.stringMatching(/^user_/)]);
    expect([...subjects(true)]).toEqual(Array(2).fill(expect.stringMatching(/^invt_/)));
  });

  it('records resolved problems and rotated secrets without a store', async () => {
    const now = new Date();
    const about = { kind: 'NO_PROVIDER', subjectId: 'pacc_1', storeId: null, devMode: null } as const;
    await noteAttention(em(), { ...about, since: now, now });
    const [open] = await openAttention(em(), 10);
    await json(`attention resolve ${open?.id}`);
    await json(`attention resolve ${open?.id}`);
    await json('secrets rotate');
    const found = await lines('store_id is null');
    expect(found.map(({ action, subject_id }) => [action, subject_id])).toEqual([
      ['attention/resolve', 'pacc_1'],
      ['secrets/rotate', null],
    ]);
  });

  it('records nothing if a command changes nothing', async () => {
    const before = (await lines()).length;
    expect((await cli(`stores update ${store} --name ''`)).code).toBe(2);
    expect((await cli('keys revoke key_x --yes')).code).toBe(2);
    expect((await cli(`users remove --store ${store} --email nobody@example.com --yes`)).code).toBe(2);
    expect(await lines()).toHaveLength(before);
  });

  it('records the system account as operator, and refuses an invalid operator name', async () => {
    await cli("stores create --name 'Mais' --city 'Natal'", { RECEBE_OPERATOR: '' });
    const created = await lines(`action = 'stores/create'`);
    expect(created.at(-1)?.operator).toMatch(/./);
    for (const RECEBE_OPERATOR of ['a\nb', '\u202eana', 'ana\u2028bia', 'a\u200bna']) {
      const { code, errors } = await cli("stores create --name 'x' --city 'x'", { RECEBE_OPERATOR });
      expect([code, errors]).toEqual([2, expect.stringContaining('RECEBE_OPERATOR')]);
    }
  });
});

describe('audit forget', () => {
  it('erases addresses and operators that are old enough, and says so in the log', async () => {
    const years = `now() - interval '2 years'`;
    await asSuperuser(`update audit_lines line set created_at = ${years} where position = 1;
      update audit_lines line set hash = audit_line_hash(line) where position = 1`);
    expect(await cli('audit forget --before 2999-01-01 --yes')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('six months'),
    });
    expect((await cli('audit forget --before yesterday --yes')).errors).toContain('YYYY-MM-DD');
    const day = new Date(Date.now() - 400 * 86_400_000).toISOString().slice(0, 10);
    const { erased } = await json(`audit forget --before ${day} --yes`);
    expect(erased).toBeGreaterThan(0);
    expect(await lines('operator is null and actor_kind = $$CLI$$')).toHaveLength(erased);
    const [line] = await lines(`action = 'audit/forget'`);
    expect(line?.details).toBe(JSON.stringify({ before: `${day}T00:00:00Z`, count: erased }));
    expect(line?.operator).toBe('ana');
  });
});

describe('audit verify', () => {
  beforeAll(async () => {
    await asSuperuser('truncate audit_lines, audit_chains, audit_checkpoints');
    for (const city of ['Recife', 'Natal', 'Belém']) await json(`stores update ${store} --city '${city}'`);
  });

  it('reports an intact audit log and reads new lines only', async () => {
    expect(await cli('audit verify')).toMatchObject({ code: 0, out: expect.stringContaining('3 new lines') });
    expect((await cli('audit verify')).out).toContain('0 new lines');
    expect((await cli('audit verify --full')).out).toContain('3 new lines');
  });

  it('refuses invalid heads', async () => {
    const path = join(folder, 'none.json');
    writeFileSync(path, '[{"chain":"x"}]');
    expect((await cli(`audit verify --heads ${path}`)).code).toBe(2);
    expect((await cli('audit verify --heads /nowhere')).errors).toContain('--heads');
  });

  it('finds with kept heads that lines and their count were cut off', async () => {
    const path = join(folder, 'heads.json');
    writeFileSync(path, JSON.stringify(await json('audit heads')));
    expect(await cli(`audit verify --full --heads ${path}`)).toMatchObject({ code: 0 });
    await asSuperuser(`delete from audit_lines where position = 3; delete from audit_checkpoints;
      update audit_chains set lines = 2, hash = (select hash from audit_lines where position = 2)`);
    expect(await cli('audit verify --full')).toMatchObject({ code: 0 });
    const { code, errors, out } = await cli(`audit verify --full --heads ${path}`);
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining(`a line is missing (position 3 of ${store})`),
    ]);
    expect(out).toMatch(/PROBLEM\n.*3 +- +a line is missing/);
  });

  it('keeps an attention item for a broken chain until it is repaired', async () => {
    const broken = async () =>
      (await openAttention(em(), 10))
        .filter(({ kind }) => kind === 'AUDIT_LOG_BROKEN')
        .map((row) => row.subjectId);
    await asSuperuser(`update audit_lines set subject_id = 'store_y' where position = 1`);
    expect((await cli('audit verify --full')).code).toBe(1);
    expect(await broken()).toEqual([store]);
    await asSuperuser(`update audit_lines set subject_id = '${store}' where position = 1`);
    expect((await cli('audit verify --full')).code).toBe(0);
    expect(await broken()).toEqual([]);
  });
});
