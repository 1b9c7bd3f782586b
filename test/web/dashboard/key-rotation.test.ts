import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ApiKey, createKey } from '../../../src/api/keys/api-keys.ts';
import { rotateKey } from '../../../src/api/keys/rotate-key.ts';
import { ApiKeyEntity } from '../../../src/database/entities/api-key.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { KEY_PRESETS } from '../../../src/domain/key-presets.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
let developer: DashboardUser;
let home: string;
/** A key in use, and its text. */
let old: { readonly key: ApiKey; readonly keyText: string };
beforeAll(async () => {
  app = await createTestApp();
  developer = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'developer');
  home = `/dashboard/${app.storeId}/dev`;
});
beforeEach(async () => {
  const given = {
    storeId: app.storeId,
    devMode: true,
    description: 'Shop',
    allowedNetworks: ['127.0.0.0/8'],
  };
  const permissions = ['WEBHOOK:READ', 'STORE:READ'] as const;
  old = await createKey(em(), { ...given, permissions }, new Date());
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const reload = (id: string) => em().findOneOrFail(ApiKeyEntity, { id } as never) as Promise<ApiKey>;

describe('rotating in the dashboard', () => {
  it('keeps the old key working for the overlap, and shows the new one once', async () => {
    const { text } = await rotate('24');
    const keyText = /abc_dev_[\w-]{43}/.exec(text)?.[0] ?? '';
    for (const each of [old.keyText, keyText])
      expect((await app.api.as(each).get('/v2/webhooks/list')).status).toBe(200);
    const replaced = await reload(old.key.id);
    const made = await reload(replaced.replacedById ?? '');
    expect(made).toMatchObject({
      description: 'Shop',
      permissions: ['WEBHOOK:READ', 'STORE:READ'],
      allowedNetworks: ['127.0.0.0/8'],
      expiresAt: null,
    });
    expect(Math.abs((replaced.expiresAt?.getTime() ?? 0) - Date.now() - 24 * HOUR_MS)).toBeLessThan(60_000);
    const line = await em().findOneOrFail(AuditLineEntity, { action: 'keys/rotate', subjectId: old.key.id });
    expect(line.details).toContain(made.id);
    expect((await developer.get(`${home}/keys`)).html).not.toContain(keyText);
  });

  it('revokes the old key at once without an overlap', async () => {
    await rotate('0');
    expect((await app.api.as(old.keyText).get('/v2/webhooks/list')).status).toBe(401);
  });

  it('gives the least overlap if the choice is unknown', async () => {
    await rotate('876000');
    expect((await reload(old.key.id)).revokedAt).not.toBeNull();
  });

  it('returns 404 for a key that was replaced, and for keys of other stores', async () => {
    await rotate('168');
    expect((await developer.get(`${home}/keys/${old.key.id}/rotate`)).status).toBe(404);
    const { id: storeId } = await createTestStore(app.database);
    const foreign = await createKey(
      em(),
      { storeId, devMode: true, description: 'x', permissions: [] },
      new Date(),
    );
    for (const path of ['', '/rotate'])
      expect((await developer.get(`${home}/keys/${foreign.key.id}${path}`)).status).toBe(404);
  });

  function rotate(overlap: string) {
    const path = `${home}/keys/${old.key.id}/rotate`;
    return developer.submit(path, path, { overlap });
  }
});

describe('rotateKey', () => {
  it('replaces a key once, however many rotations race', async () => {
    const race = Array.from({ length: 8 }, () =>
      em().transactional((each) => rotateKey(each, old.key.id, {}, { overlapMs: HOUR_MS }, new Date())),
    );
    expect((await Promise.all(race)).filter((made) => made !== null)).toHaveLength(1);
  });

  it('never lets the old key work longer than its own expiry', async () => {
    const expiresAt = new Date(Date.now() + HOUR_MS);
    await em().nativeUpdate(ApiKeyEntity, { id: old.key.id }, { expiresAt });
    const rotated = await em().transactional((each) =>
      rotateKey(each, old.key.id, {}, { overlapMs: 24 * HOUR_MS }, new Date()),
    );
    expect(rotated?.replaced.expiresAt).toEqual(expiresAt);
  });

  it('gives the new key as much time as the old one was given', async () => {
    const createdAt = new Date(Date.now() - 24 * HOUR_MS);
    const expiresAt = new Date(createdAt.getTime() + 48 * HOUR_MS);
    await em().nativeUpdate(ApiKeyEntity, { id: old.key.id }, { createdAt, expiresAt });
    const now = new Date();
    const rotated = await em().transactional((each) =>
      rotateKey(each, old.key.id, {}, { overlapMs: 0 }, now),
    );
    expect(rotated?.key.expiresAt).toEqual(new Date(now.getTime() + 48 * HOUR_MS));
  });
});

describe('a new key', () => {
  it('reads only unless another preset is chosen', async () => {
    const page = await developer.get(`${home}/keys/new`);
    expect(page.html).toMatch(/value="read" checked/);
    const made = await create({ preset: 'read', permissions: [...PERMISSIONS] });
    expect(made).toMatchObject({ readOnly: true, permissions: KEY_PRESETS.read.permissions });
  });

  it.each(['shop', 'subscriptions', 'full'] as const)(
    'gets exactly the permissions of %s',
    async (preset) => {
      const made = await create({ preset, permissions: ['WITHDRAW:CREATE'] });
      expect(made).toMatchObject({ readOnly: false, permissions: KEY_PRESETS[preset].permissions });
    },
  );

  it('refuses refunds and sending money to presets of shops', () => {
    expect(KEY_PRESETS.subscriptions.permissions.filter((name) => /^(REFUND|WITHDRAW)/.test(name))).toEqual(
      [],
    );
  });

  async function create(fields: Record<string, string | string[]>) {
    const path = `${home}/keys/new`;
    const made = await developer.submit(path, path, { description: 'New', ...fields });
    const lastFour = /abc_dev_[\w-]{39}([\w-]{4})/.exec(made.text)?.[1] ?? '';
    return em().findOneOrFail(ApiKeyEntity, { storeId: app.storeId, lastFour });
  }
});
