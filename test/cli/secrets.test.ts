import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config.ts';
import { type User, UserEntity } from '../../src/database/entities/user.ts';
import { type Webhook, WebhookEntity } from '../../src/database/entities/webhook.ts';
import { takeCode } from '../../src/identity/second-factor.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { secondFactorOf, signedIn } from '../support/dashboard/dashboard-user.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { insertDelivery, insertWebhook, webhookBody } from '../support/rows/build.ts';

const SECRET = 'b9f1c7e2a4d84f6d8c3b5a7e9d1f2c4b';
const [OLD, NEW] = [newKey(), newKey()];

let fixture: BareFixture;
let app: TestApp;
let sink: WebhookSink;
beforeAll(async () => {
  fixture = await createBareFixture();
  sink = await startWebhookSink();
  app = await createTestApp({ secretsKeys: new SecretsKeys([OLD]) }, { database: fixture.database });
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
  await fixture.close();
});
beforeEach(() => fixture.database.em.fork().nativeUpdate(WebhookEntity, {}, { deletedAt: new Date() }));

function newKey(): string {
  return randomBytes(32).toString('base64');
}

const idOf = (key: string) => new SecretsKeys([key]).currentId;
const rowOf = (id: string) =>
  fixture.database.em.fork().findOneOrFail(WebhookEntity, { id: id as Webhook['id'] });

/** Runs `secrets rotate` with these keys. */
async function rotate(...keys: string[]) {
  const out: string[] = [];
  const env = { DATABASE_URL: fixture.url, SECRETS_KEY: keys.join(',') };
  const print = (line: string) => void out.push(line);
  const code = await runCli(['secrets', 'rotate'], { env, print, printError: print });
  return { code, out: out.join('\n') };
}

/** What a worker with these keys signs a delivery of the webhook with. */
async function signedBy(webhookId: string, ...keys: string[]): Promise<boolean> {
  const webhook = await rowOf(webhookId);
  const endpoint = sink.endpoint();
  await fixture.database.em
    .fork()
    .nativeUpdate(WebhookEntity, { id: webhook.id }, { endpoint: endpoint.url });
  const { id } = await insertDelivery(fixture.database, webhook);
  const worker = fixture.newWorker({ secretsKeys: new SecretsKeys(keys) });
  await worker.attemptDelivery({
    deliveryId: id,
    resend: false,
    attemptKey: 'run-1',
    retryDelayMs: 5_000,
    nowMs: Date.now(),
  });
  const [received] = endpoint.received;
  const signature = createHmac('sha256', SECRET)
    .update(received?.body ?? '')
    .digest('base64');
  return received?.headers['x-webhook-signature'] === signature;
}

async function created(): Promise<string> {
  const body = webhookBody({ secret: SECRET, endpoint: sink.endpoint().url });
  return dataOf<{ id: string }>(await app.api.post('/v2/webhooks/create', body)).id;
}

describe("a webhook's secret in the database", () => {
  it('encrypts the secret in the database and signs deliveries with it', async () => {
    const id = await created();
    const row = await rowOf(id);
    expect(row.secretKeyId).toBe(idOf(OLD));
    for (const text of [row.secret, Buffer.from(row.secret, 'base64').toString('latin1')])
      expect(text).not.toContain(SECRET.slice(0, 8));
    expect(await signedBy(id, OLD)).toBe(true);
  });

  it('encrypts a secret differently each time, at any length', () => {
    const keys = new SecretsKeys([OLD]);
    for (const secret of ['x', 'ç🍇', 'x'.repeat(256)]) {
      const [one, other] = [keys.encrypt(secret, 'webh_1'), keys.encrypt(secret, 'webh_1')];
      expect(one.secret).not.toBe(other.secret);
      expect(keys.decrypt(one, 'webh_1')).toBe(secret);
    }
  });

  it('refuses to read a secret that was changed or moved, or without its key', () => {
    const keys = new SecretsKeys([OLD]);
    const kept = keys.encrypt(SECRET, 'webh_1');
    const changed = Buffer.from(kept.secret, 'base64');
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(() => keys.decrypt({ ...kept, secret: changed.toString('base64') }, 'webh_1')).toThrow('changed');
    expect(() => keys.decrypt(kept, 'webh_2')).toThrow("another row's");
    expect(() => new SecretsKeys([NEW]).decrypt(kept, 'webh_1')).toThrow(`lacks the key ${idOf(OLD)}`);
  });

  it('signs with a secret that an earlier release stored as text, and encrypts it', async () => {
    const plain = await insertWebhook(fixture.database, { storeId: fixture.storeId, secret: SECRET });
    expect(await signedBy(plain.id, NEW)).toBe(true);
    expect(await rotate(NEW, OLD)).toMatchObject({ code: 0 });
    expect(await rowOf(plain.id)).toMatchObject({ secretKeyId: idOf(NEW) });
    expect((await rowOf(plain.id)).secret).not.toBe(SECRET);
    expect(await signedBy(plain.id, NEW)).toBe(true);
  });
});

describe('secrets rotate', () => {
  it('encrypts all with the new key, and signs before, during and after the change', async () => {
    const id = await created();
    expect(await signedBy(id, NEW, OLD)).toBe(true);
    expect(await rotate(NEW, OLD)).toMatchObject({ code: 0 });
    expect(await signedBy(id, NEW, OLD)).toBe(true);
    expect(await signedBy(id, NEW)).toBe(true);
    const again = await rotate(NEW);
    expect(again).toEqual({ code: 0, out: expect.stringMatching(/^0 secrets are re-encrypted/) });
  });

  it('encrypts several batches with the new key, even in two parallel runs', async () => {
    const made = { storeId: fixture.storeId, secret: SECRET };
    for (let count = 0; count < 450; count++) await insertWebhook(fixture.database, made);
    const [one, other] = await Promise.all([rotate(NEW, OLD), rotate(NEW, OLD)]);
    expect([one.code, other.code]).toEqual([0, 0]);
    const rows = await fixture.database.em.fork().find(WebhookEntity, {});
    const keys = new SecretsKeys([NEW]);
    for (const row of rows) expect(keys.decrypt(row, row.id)).not.toBe('');
    const counts = [one, other].map(({ out }) => Number(/^\d+/.exec(out)?.[0]));
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(450);
  });

  it('encrypts a previous secret that still signs and deletes an expired one', async () => {
    const signs = await created();
    const over = await created();
    for (const id of [signs, over])
      dataOf(await app.api.post('/v2/webhooks/rotate-secret', { id, secret: 'another one' }));
    const past = { previousSecretUntil: new Date(Date.now() - 1) };
    await fixture.database.em.fork().nativeUpdate(WebhookEntity, { id: over as Webhook['id'] }, past);
    expect(await rotate(NEW, OLD)).toMatchObject({ code: 0 });
    const { previousSecret: secret, previousSecretKeyId: secretKeyId } = await rowOf(signs);
    expect(secret).not.toContain(SECRET.slice(0, 8));
    expect(new SecretsKeys([NEW]).decrypt({ secret: secret ?? '', secretKeyId }, signs)).toBe(SECRET);
    expect(await rowOf(over)).toMatchObject({ previousSecret: null, previousSecretUntil: null });
  });

  it('keeps a secret whose key is missing and reports it', async () => {
    const id = await created();
    const before = await rowOf(id);
    const { code, out } = await rotate(NEW);
    expect([code, out]).toEqual([1, expect.stringContaining(id)]);
    expect(await rowOf(id)).toEqual(before);
    expect(await rotate(NEW, OLD)).toMatchObject({ code: 0 });
  });

  it('refuses to rotate without a valid key', async () => {
    expect(await rotate()).toEqual({ code: 2, out: 'error: SECRETS_KEY: is not set' });
    expect((await rotate('short')).out).toContain('must be 32 bytes in base64');
  });
});

describe('SECRETS_KEY', () => {
  const load = (env: Record<string, string>) => loadConfig({ DATABASE_URL: 'postgres://unused', ...env });

  it('requires a key in production and says how to create one', () => {
    expect(() => load({ NODE_ENV: 'production' })).toThrow('openssl rand -base64 32');
    expect(load({ NODE_ENV: 'production', SECRETS_KEY: OLD }).secretsKeys).toEqual([OLD]);
  });

  it('accepts older keys behind the first, and refuses an invalid key', () => {
    expect(load({ SECRETS_KEY: `${NEW}, ${OLD}\n` }).secretsKeys).toEqual([NEW, OLD]);
    expect(() => load({ SECRETS_KEY: 'password' })).toThrow('must be 32 bytes in base64');
  });
});

it('secrets rotate re-encrypts second factors, and their codes stay the same', async () => {
  const { api, database, storeId } = app;
  await signedIn({ url: api.url, database }, storeId, 'owner');
  const { codeAt } = await secondFactorOf(database, 'owner@example.com', new SecretsKeys([OLD]));
  expect(await rotate(NEW, OLD)).toMatchObject({ code: 0 });
  const em = database.em.fork();
  const user = (await em.findOneOrFail(UserEntity, { email: 'owner@example.com' })) as User;
  expect(user.totpSecretKeyId).toBe(idOf(NEW));
  expect(await takeCode(em, user, codeAt(0), new SecretsKeys([NEW]), new Date())).toBe(true);
});
