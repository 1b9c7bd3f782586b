import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditRights } from '../../src/database/audit-rights.ts';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { run } from '../support/cli/command.ts';
import { signedIn } from '../support/dashboard/dashboard-user.ts';
import { cli } from '../support/fixtures/command-line.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { buildPaidCheckout, buildPaidPix, chargeOf } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

const PASSWORD = randomBytes(12).toString('hex');
const roles: string[] = [];

let owned: TestDatabase;
beforeAll(async () => {
  owned = await createTestDatabase();
});
afterAll(() => owned.drop());

/** As the owner of the tables, who is a superuser here. */
const asOwner = <Row extends object>(sql: string) => owned.database.em.fork().execute<Row[]>(sql);
const migrateFor = (role: string) => run(`migrate --service-role ${role}`, { DATABASE_URL: owned.url });

/** Roles belong to the whole server, and outlive a database. */
async function makeRole(how = ''): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asOwner(`create role ${name} login password '${PASSWORD}' ${how}`);
  roles.push(name);
  return name;
}

async function dropRoles(): Promise<void> {
  for (const role of roles.splice(0)) await asOwner(`drop owned by ${role}; drop role ${role}`);
}

function urlOf(role: string): string {
  return Object.assign(new URL(owned.url), { username: role, password: PASSWORD }).href;
}

describe('a service that connects with a role of its own', () => {
  let role: string;
  let database: Database;
  let app: MoneyApp;
  let sink: WebhookSink;
  beforeAll(async () => {
    role = await makeRole();
    expect(await migrateFor(role)).toMatchObject({ code: 0, out: expect.stringContaining(`"${role}" can`) });
    database = await openDatabase(urlOf(role), 8);
    [app, sink] = await Promise.all([createMoneyApp({ database }), startWebhookSink()]);
  });
  afterAll(async () => {
    await app.close();
    await sink[Symbol.asyncDispose]();
    await database.close(true);
    await dropRoles();
  });

  it('receives, refunds, sends and notifies, and writes the audit log', async () => {
    const endpoint = sink.endpoint();
    await buildWebhook(app.api, { endpoint: endpoint.url, events: ['transparent.completed'] });
    const id = await buildPaidPix(app.api, { amount: 50_000 });
    await buildPaidCheckout(app.api);
    dataOf(await app.api.post('/v2/transparents/refund', { id, amount: 100 }));
    const payout = dataOf<{ id: string }>(
      await app.api.post('/v2/payouts/create', { amount: 1_000, externalId: 'one' }),
    );
    await eventually(async () => {
      const { status } = dataOf<{ status: string }>(await app.api.get(`/v2/payouts/get?id=${payout.id}`));
      expect(status).toBe('COMPLETE');
      expect(endpoint.received).toHaveLength(1);
    });
    expect(await chargeOf(app.api, id)).toMatchObject({ status: 'PAID' });
    const owner = await signedIn({ url: app.api.url, database }, app.storeId, 'owner');
    const keys = `/dashboard/${app.storeId}/dev/keys/new`;
    const made = await owner.submit(keys, keys, { description: 'x', permissions: 'STORE:READ' });
    expect(made.status).toBe(200);
    const actions = await asOwner<{ action: string }>('select action from audit_lines order by position');
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['webhooks/create', 'transparents/refund', 'payouts/create', 'keys/create']),
    );
  });

  it('verifies the audit log and the ledger, and erases whom old lines name', async () => {
    await asOwner(`
      insert into audit_lines (id, store_id, actor_kind, operator, action, created_at)
      values ('audt_old', '${app.storeId}', 'CLI', 'ana', 'stores/update', '2025-01-01')`);
    for (const command of ['audit verify --full', 'ledger verify', 'audit forget --before 2025-06-01 --yes'])
      expect([command, await cli(app, command)]).toEqual([command, expect.objectContaining({ code: 0 })]);
    const [line] = await asOwner("select operator, salt from audit_lines where id = 'audt_old'");
    expect(line).toEqual({ operator: null, salt: null });
  });

  it.each([
    "update audit_lines set action = 'x'",
    'update audit_lines set salt = null',
    'delete from audit_lines',
    'truncate audit_lines',
    'drop table audit_lines cascade',
    'alter table audit_lines disable trigger all',
    'drop trigger audit_lines_never_change on audit_lines',
    'create trigger t before insert on audit_lines for each row execute function refuse_to_change_audit_line()',
    "insert into audit_chains values ('x', 1, 'x')",
    'update audit_chains set lines = 0',
    'delete from audit_chains',
    'truncate audit_chains',
    'create function audit_digest(text, text, text) returns text language sql return $1',
    'create or replace function chain_audit_line() returns trigger language plpgsql as $$begin return new; end$$',
    'alter function audit_line_hash(audit_lines) rename to old_hash',
    'set session_replication_role = replica',
    'drop schema public cascade',
    'delete from migrations',
  ])('refuses to change the audit log: %s', async (sql) => {
    await expect(database.em.fork().execute(sql)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('reports in doctor that the service role cannot change the log, but the owner can', async () => {
    const own = await cli(app, 'doctor');
    expect(own.out).toContain(`The database role "${role}" cannot change the audit log.`);
    const all = await cli({ ...app, database: owned.database }, 'doctor');
    expect(all.out).toMatch(/The database role "\w+" could change the audit log: it is a superuser/);
    const { auditRole } = JSON.parse((await cli(app, 'doctor --json')).out);
    expect(auditRole).toEqual({ role, ways: [] });
  });

  it('reads tables of a new release once migrate has run for its role again', async () => {
    await asOwner('create table of_tomorrow (id text)');
    const read = () => database.em.fork().execute('select * from of_tomorrow');
    await expect(read()).rejects.toThrow('permission denied');
    expect(await migrateFor(role)).toMatchObject({ code: 0 });
    expect(await read()).toEqual([]);
    await asOwner('drop table of_tomorrow');
  });
});

describe('a role that could still change the audit log', () => {
  let role: string;
  beforeEach(async () => {
    role = await makeRole();
  });
  afterEach(async () => {
    const { name = '' } = (await asOwner<{ name: string }>('select current_user as name'))[0] ?? {};
    await asOwner(
      `alter table audit_lines owner to ${name}; alter function chain_audit_line() owner to ${name};
       alter schema public owner to pg_database_owner; revoke all on audit_lines from public`,
    );
    const [{ database } = { database: '' }] = await asOwner<{ database: string }>(
      'select current_database() as database',
    );
    await asOwner(`alter database ${database} owner to ${name}`);
    await dropRoles();
  });

  it.each([
    ['is a superuser', 'alter role ROLE superuser', 'it is a superuser'],
    ['owns the table', 'alter table audit_lines owner to ROLE', 'it owns the table audit_lines'],
    ['owns the schema', 'alter schema public owner to ROLE', 'it owns the schema public'],
    [
      'owns the database',
      'do $$begin execute format($f$alter database %I owner to ROLE$f$, current_database()); end$$',
      'it owns the database',
    ],
    [
      'owns a function',
      'alter function chain_audit_line() owner to ROLE',
      'it owns the function chain_audit_line',
    ],
    ['has what everyone has', 'grant delete on audit_lines to public', 'DELETE on audit_lines'],
    ['may write all data', 'grant pg_write_all_data to ROLE', 'UPDATE on audit_lines'],
    [
      'may set who is replicated',
      'grant set on parameter session_replication_role to ROLE',
      'session_replication_role',
    ],
    ['may start programs', 'grant pg_execute_server_program to ROLE', 'pg_execute_server_program'],
  ])('refuses a service role when it %s', async (_, sql, way) => {
    await asOwner(sql.replace('ROLE', role));
    const { code, errors } = await migrateFor(role);
    expect([code, errors]).toEqual([2, expect.stringContaining(way)]);
    expect((await auditRights(owned.database.em.fork(), role)).ways).not.toEqual([]);
  });

  it('refuses a role that may take on a privileged one, even without inheriting it', async () => {
    const other = await makeRole();
    await asOwner(`grant update (action) on audit_lines to ${other}`);
    await asOwner(`alter role ${role} noinherit; grant ${other} to ${role}`);
    const { code, errors } = await migrateFor(role);
    expect([code, errors]).toEqual([2, expect.stringContaining('UPDATE of columns of audit_lines')]);
    const [granted] = await asOwner(`select has_table_privilege('${role}', 'charges', 'SELECT') as granted`);
    expect(granted).toEqual({ granted: false });
  });

  it('refuses a role that does not exist or is granted by another than the owner', async () => {
    const nobody = await run('migrate --service-role nobody_here', { DATABASE_URL: owned.url });
    expect(nobody).toMatchObject({ code: 2, errors: expect.stringContaining('create role nobody_here') });
    expect(await migrateFor(role)).toMatchObject({ code: 0 });
    const other = await makeRole();
    const { code, errors } = await run(`migrate --service-role ${other}`, { DATABASE_URL: urlOf(role) });
    expect([code === 0, errors]).toEqual([false, expect.stringContaining('owner')]);
  });
});
