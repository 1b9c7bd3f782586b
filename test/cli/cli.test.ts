import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findCaller } from '../../src/api/keys/caller.ts';
import { ensureDemoStore } from '../../src/cli/demo-store.ts';
import { limitServingKey, revokeKey } from '../../src/cli/keys.ts';
import { ApiKeyEntity } from '../../src/database/entities/api-key.ts';
import { AuditLineEntity } from '../../src/database/entities/audit-line.ts';
import { PERMISSIONS, READING_PERMISSIONS } from '../../src/domain/permission.ts';
import { addMember } from '../../src/identity/members.ts';
import { userOf } from '../../src/identity/users.ts';
import { run } from '../support/cli/command.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const cli = (args: string, env: Record<string, string> = { DATABASE_URL: db.url }) => run(args, env);

async function json(args: string) {
  const { code, out, errors } = await cli(`${args} --json`);
  if (code !== 0) throw new Error(errors);
  return JSON.parse(out);
}

describe('stores', () => {
  it('creates and lists stores with a formatted tax id', async () => {
    const store = await json("stores create --name 'Loja Açaí' --city 'São Paulo' --tax-id 11222333000181");
    expect(store).toMatchObject({
      id: expect.stringMatching(/^store_/),
      name: 'Loja Açaí',
      taxId: '11.222.333/0001-81',
    });
    expect(await json('stores list')).toContainEqual(store);
    expect((await cli('stores list')).out).toMatch(/NAME.*\n.*Loja Açaí/);
  });

  it("changes and removes each field of a store's profile separately", async () => {
    const { id } = await json(
      "stores create --name 'Loja' --city 'Recife' --support-email ajuda@example.com",
    );
    const profile =
      "--accent-color '#FFCC00' --logo-url https://example.com/logo.png --support-phone '+55 81 3003-1234'";
    await json(
      `stores update ${id} ${profile} --legal-footer 'CNPJ e endereço.' --support-url https://example.com/ajuda`,
    );
    expect(await json(`stores update ${id} --support-email '' --tax-id 11.222.333/0001-81`)).toMatchObject({
      name: 'Loja',
      taxId: '11.222.333/0001-81',
      accentColor: '#ffcc00',
      logoUrl: 'https://example.com/logo.png',
      supportEmail: null,
      supportPhone: '+55 81 3003-1234',
      supportUrl: 'https://example.com/ajuda',
      legalFooter: 'CNPJ e endereço.',
    });
    for (const [option, wrong] of [
      ['--name', ''],
      ['--accent-color', 'green'],
      ['--logo-url', 'http://example.com/logo.png'],
      ['--support-email', 'ajuda@'],
      ['--support-phone', '12 34'],
      ['--support-url', 'javascript:alert(1)'],
      ['--legal-footer', 'x'.repeat(501)],
      ['store_01J9Z3VYK0W6F0S7R2M8QH4T5B', ''],
    ] as const) {
      const asked = option.startsWith('--') ? `${id} ${option} '${wrong}'` : option;
      const { code, errors } = await cli(`stores update ${asked}`);
      expect([code, errors]).toEqual([2, expect.stringContaining(option)]);
    }
  });

  it.each([
    ["stores create --name 'x'", '--city'],
    ["stores create --name '' --city 'x'", '--name'],
    ["stores create --name '' --city ''", '--city'],
    ["stores create --name 'x' --city 'x' --tax-id 11222333000182", '--tax-id'],
    ["stores create --name 'x' --city 'x' --website 'javascript:1'", '--website'],
  ])('refuses an invalid store with exit code 2 for %s', async (args, option) => {
    const { code, errors } = await cli(args);
    expect([code, errors]).toEqual([2, expect.stringContaining(option)]);
  });
});

describe('keys', () => {
  let storeId: string;
  const lastLine = async () => {
    const sql = 'select * from audit_lines where store_id = ? order by position desc limit 1';
    return (await db.database.em.fork().execute(sql, [storeId]))[0];
  };

  beforeAll(async () => {
    storeId = (await json("stores create --name 'Chaves' --city 'Recife'")).id;
  });

  it('shows a new key once, which works at once and is stored as a hash only', async () => {
    const options = "--environment dev --description 'shop' --permissions webhook:read,CHECKOUT:READ";
    const created = await json(`keys create --store ${storeId} ${options}`);
    expect(created.key).toMatch(/^abc_dev_[\w-]{43}$/);
    expect(await findCaller(db.database, created.key)).toMatchObject({
      storeId,
      devMode: true,
      permissions: ['WEBHOOK:READ', 'CHECKOUT:READ'],
      store: { name: 'Chaves', city: 'Recife', taxId: null },
    });
    const listed = await cli(`keys list --store ${storeId}`);
    expect(listed.out).toContain(created.id);
    expect(listed.out).toContain(`…${created.key.slice(-4)}`);
    expect(listed.out).not.toContain(created.key);
    const [row] = await db.database.em
      .fork()
      .execute('select row_to_json(k) as text from api_keys k where id = ?', [created.id]);
    expect(JSON.stringify(row)).not.toContain(created.key);
  });

  it('revokes a key after confirmation at the terminal or with --yes', async () => {
    const options = "--environment dev --description 'short-lived' --permissions all";
    const { id, key } = await json(`keys create --store ${storeId} ${options}`);
    const unasked = await cli(`keys revoke ${id}`);
    expect(unasked).toMatchObject({ code: 2, errors: expect.stringContaining('--yes') });
    const env = { DATABASE_URL: db.url };
    const declined = await run(`keys revoke ${id}`, env, { confirm: async () => false });
    expect(declined).toMatchObject({ code: 2, errors: 'error: nothing was changed' });
    expect(await findCaller(db.database, key)).not.toBeNull();
    const agreed = await run(`keys revoke ${id}`, env, { confirm: async () => true });
    expect(agreed).toMatchObject({ code: 0, out: `Revoked ${id}` });
    expect(await findCaller(db.database, key)).toBeNull();
  });

  it('creates production keys with the prefix abc_prod_ and every permission', async () => {
    const options = "--environment prod --description 'all' --permissions all";
    const created = await json(`keys create --store ${storeId} ${options}`);
    expect(created).toMatchObject({ key: expect.stringMatching(/^abc_prod_/), permissions: PERMISSIONS });
  });

  it('stops a revoked key, and changes nothing if it is revoked again', async () => {
    const options = "--environment dev --description 'x' --permissions all";
    const { id, key } = await json(`keys create --store ${storeId} ${options}`);
    const { revokedAt } = await json(`keys revoke ${id} --yes`);
    expect(await findCaller(db.database, key)).toBeNull();
    expect((await json(`keys revoke ${id} --yes`)).revokedAt).toBe(revokedAt);
  });

  it('creates a key that is read-only, expires and is limited to networks', async () => {
    const limits = '--read-only --expires 2030-05-31 --allow 192.0.2.0/24,2001:DB8::1';
    const given = `--environment dev --description 'reports' ${limits}`;
    const created = await json(`keys create --store ${storeId} ${given}`);
    expect(created).toMatchObject({
      readOnly: true,
      permissions: READING_PERMISSIONS,
      // The end of that day in São Paulo.
      expiresAt: '2030-06-01T03:00:00.000Z',
      allowedNetworks: ['192.0.2.0/24', '2001:db8::1'],
    });
    const { out } = await cli(`keys list --store ${storeId}`);
    expect(out).toMatch(/2030-06-01T03:00 .*192\.0\.2\.0\/24,2001:db8::1 .*read-only/);
    expect(await lastLine()).toMatchObject({
      action: 'keys/create',
      details: `{"readOnly":true,"expiresAt":"2030-06-01T03:00:00.000Z","allowedNetworks":["192.0.2.0/24","2001:db8::1"]}`,
    });
  });

  it('rotates a key once, with an overlap', async () => {
    const { id } = await json(
      `keys create --store ${storeId} --environment dev --description 'x' --read-only`,
    );
    expect(await cli(`keys rotate ${id}`)).toMatchObject({ code: 2 });
    const wrong = await cli(`keys rotate ${id} --overlap 169 --yes`);
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('0 to 168')]);
    const made = await json(`keys rotate ${id} --overlap 48 --yes`);
    expect(made).toMatchObject({
      key: expect.stringMatching(/^abc_dev_/),
      description: 'x',
      readOnly: true,
      replaced: { id, replacedById: made.id, expiresAt: expect.any(String) },
    });
    expect(await lastLine()).toMatchObject({ action: 'keys/rotate', subject_id: id });
    const again = await cli(`keys rotate ${id} --yes`);
    expect([again.code, again.errors]).toEqual([2, expect.stringContaining('replaced')]);
  });

  it('limits and unlimits a key one limit at a time, after confirmation', async () => {
    const given = "--environment dev --description 'x' --permissions all --expires 2030-05-31T12:00:00Z";
    const { id } = await json(`keys create --store ${storeId} ${given}`);
    expect(await cli(`keys limit ${id} --allow 192.0.2.7`)).toMatchObject({ code: 2 });
    expect(await json(`keys limit ${id} --allow 192.0.2.7 --yes`)).toMatchObject({
      expiresAt: '2030-05-31T12:00:00.000Z',
      allowedNetworks: ['192.0.2.7'],
    });
    const line = await lastLine();
    expect(line).toMatchObject({ action: 'keys/limit', subject_id: id });
    await json(`keys limit ${id} --allow 192.0.2.7 --yes`);
    expect(await lastLine()).toEqual(line);
    const unlimited = await json(`keys limit ${id} --expires never --allow anywhere --yes`);
    expect(unlimited).toMatchObject({ expiresAt: null, allowedNetworks: null });
    await cli(`keys revoke ${id} --yes`);
    const revoked = await cli(`keys limit ${id} --expires never --yes`);
    expect([revoked.code, revoked.errors]).toEqual([2, expect.stringContaining('was revoked')]);
  });

  it.each([
    ['create --store STORE NAMED', '--permissions: is needed'],
    ['create --store STORE NAMED --read-only --permissions WEBHOOK:READ,REFUND:CREATE', 'REFUND:CREATE'],
    ['create --store STORE NAMED --permissions all --expires tomorrow', '--expires: must be an instant'],
    ['create --store STORE NAMED --permissions all --expires 2020-01-01', 'must be in the future'],
    ['create --store STORE NAMED --permissions all --allow 192.0.2.7,home', 'home is neither an address'],
    ['create --store STORE NAMED --permissions all --allow 192.0.2.7/24', 'write 192.0.2.0/24'],
    ['create --store STORE NAMED --permissions all --allow 0.0.0.0/0', 'write "anywhere"'],
    ['create --store STORE NAMED --permissions all --allow ,', '--allow: must be addresses'],
    ['limit key_x --yes', 'give --expires, --allow'],
    ['limit key_x --expires never --yes', 'there is no key'],
  ])('refuses wrong limits of a key with exit code 2 for %s', async (args, reason) => {
    const named = args.replace('NAMED', "--environment dev --description 'x'").replace('STORE', storeId);
    const { code, errors } = await cli(`keys ${named}`);
    expect([code, errors]).toEqual([2, expect.stringContaining(reason)]);
  });

  it.each([
    ["create --store store_x --environment dev --description 'x' --permissions all", 'there is no store'],
    ["create --store STORE --environment dev --description 'x' --permissions FOO", 'FOO'],
    ["create --store STORE --environment test --description 'x' --permissions all", 'dev, prod'],
    ['list --store store_x', 'there is no store'],
    ['revoke key_x --yes', 'there is no key'],
  ])('refuses an invalid keys command with exit code 2 for %s', async (args, reason) => {
    const { code, errors } = await cli(`keys ${args.replace('STORE', storeId)}`);
    expect([code, errors]).toEqual([2, expect.stringContaining(reason)]);
  });
});

describe('the database', () => {
  it('updates the schema by migrate, which can run again', async () => {
    const empty = await createTestDatabase(null);
    try {
      const env = { DATABASE_URL: empty.url };
      expect(await cli('migrate', env)).toMatchObject({ code: 0 });
      expect(await cli('migrate', env)).toMatchObject({ code: 0 });
      expect(await cli('stores list --json', env)).toMatchObject({ code: 0, out: '[]' });
    } finally {
      await empty.drop();
    }
  });

  it("uses the running instance's database if DATABASE_URL is not set", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recebe-cli-'));
    try {
      const env = { RECEBE_DATA: folder };
      expect(await cli('stores list', env)).toMatchObject({
        code: 1,
        errors: expect.stringContaining('DATABASE_URL'),
      });
      writeFileSync(join(folder, 'endpoints.json'), JSON.stringify({ databaseUrl: db.url }));
      expect(await cli('stores list', env)).toMatchObject({ code: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('prints one line and exits with 1 if the database cannot be reached', async () => {
    const { code, errors } = await cli('stores list', { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
    expect(code).toBe(1);
    expect(errors).toMatch(/^error: [^\n]+$/);
  });
});

describe('the demo store', () => {
  it('creates the demo store once, and keeps its key while it is valid', async () => {
    const { keyText: key } = await ensureDemoStore(db.url, undefined);
    expect(await ensureDemoStore(db.url, key)).toMatchObject({ keyText: key });
    const caller = await findCaller(db.database, key);
    expect(caller).toMatchObject({
      devMode: true,
      permissions: PERMISSIONS,
      store: { name: 'Loja Demo', city: 'SAO PAULO' },
    });

    await revokeKey(db.database.em.fork(), caller?.keyId ?? '', new Date());
    const { keyText: renewed } = await ensureDemoStore(db.url, key);
    expect(renewed).not.toBe(key);
    expect((await findCaller(db.database, renewed))?.storeId).toBe(caller?.storeId);
  });

  it('keeps the key of an earlier release and adds the permissions it lacks', async () => {
    const { keyText: key } = await ensureDemoStore(db.url, undefined);
    const caller = await findCaller(db.database, key);
    if (caller === null) throw new Error('the key does not work');
    const { keyId, storeId } = caller;
    const em = db.database.em.fork();
    await em.nativeUpdate(ApiKeyEntity, { id: keyId }, { permissions: ['CHECKOUT:READ'] });
    expect(await ensureDemoStore(db.url, key)).toMatchObject({ keyText: key });
    expect((await findCaller(db.database, key))?.permissions).toEqual(PERMISSIONS);
    const lines = await em.count(AuditLineEntity, { storeId, subjectId: keyId, action: 'keys/extend' });
    expect(lines).toBe(1);
  });

  it('replaces a key whose lifetime somebody has limited', async () => {
    const { keyText: key } = await ensureDemoStore(db.url, undefined);
    const { keyId = '' } = (await findCaller(db.database, key)) ?? {};
    const expiresAt = new Date(Date.now() + 60_000);
    const em = db.database.em.fork();
    await em.transactional((tx) => limitServingKey(tx, keyId, { expiresAt }, new Date()));
    expect((await ensureDemoStore(db.url, key)).keyText).not.toBe(key);
  });
});

describe('every command', () => {
  it('prints errors as JSON where that is asked for, and nothing else', async () => {
    const wrong = await cli('stores create --json');
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(JSON.parse(wrong.errors)).toEqual({
      error: { code: 'USAGE', message: expect.stringContaining('--name') },
    });
    const away = await cli('migrate --json', { DATABASE_URL: 'postgres://127.0.0.1:9/nothing' });
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(away.errors)).toEqual({ error: { code: 'FAILED', message: expect.any(String) } });
    expect(JSON.parse((await cli('migrate --json')).out)).toEqual({ migrated: true, serviceRole: null });
  });

  it('says in its help what it needs, and the program says its version', async () => {
    const { code, out } = await cli('help');
    expect(code).toBe(0);
    expect(out).toMatch(/Over the API, with a key[\s\S]*listen[\s\S]*For operators[\s\S]*doctor/);
    expect((await cli('help listen')).out).toContain('--forward-to');
    expect((await cli('help accounts add')).out).toContain('--certificate');
    expect((await cli('--version')).out).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('users', () => {
  it('invites, lists, links and removes members, but keeps the last owner', async () => {
    const { id: store } = await json("stores create --name 'Loja' --city 'x'");
    const env = { DATABASE_URL: db.url, PUBLIC_URL: 'https://pay.example.com/' };
    const invited = await cli(`users invite --store ${store} --email Ana@Example.com --role owner`, env);
    expect(invited.out).toMatch(/https:\/\/pay\.example\.com\/dashboard\/enter\/[\w-]{43}\n/);
    // An invited person becomes a member only after entering.
    expect(await json(`users list --store ${store}`)).toEqual([]);
    const { id: userId } = await userOf(db.database.em.fork(), 'ana@example.com', new Date());
    await addMember(db.database.em.fork(), { userId, storeId: store, role: 'owner', createdAt: new Date() });
    expect(await json(`users list --store ${store}`)).toMatchObject([
      { email: 'ana@example.com', role: 'owner' },
    ]);
    for (const command of ['sign-in-link', 'reset-password'])
      expect(await json(`users ${command} --email ana@example.com`)).toEqual({
        url: expect.stringMatching(/^\/dashboard\/enter\//),
      });
    const remove = await cli(`users remove --store ${store} --email ana@example.com --yes`);
    expect([remove.code, remove.errors]).toEqual([2, expect.stringContaining('one owner')]);
  });

  it.each([
    ['invite --store store_x --email ana@example.com --role owner', '--store'],
    ['invite --store store_x --email ana@example.com --role king', '--role'],
    ['sign-in-link --email nobody@example.com', '--email'],
    ['sign-in-link --email nobody', '--email'],
  ])('refuses an invalid users command with exit code 2 for %s', async (args, option) => {
    const { code, errors } = await cli(`users ${args}`);
    expect([code, errors]).toEqual([2, expect.stringContaining(option)]);
  });
});
