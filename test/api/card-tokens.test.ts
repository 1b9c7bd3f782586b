import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyEntity } from '../../src/database/entities/api-key.ts';
import { CardTokenEntity } from '../../src/database/entities/card-token.ts';
import type { CardTokenId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, TEST_CONFIG, type TestApp } from '../support/api/app.ts';

const CREATE = '/v2/card-tokens/create';
const CARD = { number: '4242 4242 4242 4242', holderName: 'ANA SOUZA', expiry: '12/40', cvv: '123' };

interface ShownToken {
  readonly id: string;
  readonly devMode: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
}

let app: TestApp;
let browser: ApiClient;
beforeAll(async () => {
  app = await createTestApp();
  browser = await app.clientWith({ isPublic: true });
});
afterAll(() => app.close());

const countTokens = async () => {
  const counted = await app.database.em
    .fork()
    .execute<{ count: string }[]>('select count(*) from card_tokens');
  return Number(counted[0]?.count);
};

describe('a public key', () => {
  it('exchanges a test card for a token of 60 seconds, which holds no number', async () => {
    const token = dataOf<ShownToken>(await browser.post(CREATE, { card: CARD }));
    expect(token.id).toMatch(/^ctok_[0-9A-Z]{26}$/);
    expect(Date.parse(token.expiresAt) - Date.parse(token.createdAt)).toBe(60_000);
    const row = await app.database.em.fork().findOneOrFail(CardTokenEntity, { id: token.id as CardTokenId });
    expect(row).toMatchObject({ brand: 'visa', lastFour: '4242', expiryMonth: '2040-12', usedAt: null });
    expect(JSON.stringify(row)).not.toContain('42424242');
  });

  it('refuses a public key on every other path', async () => {
    const paths = ['/v2/transparents/list', '/customers/list', '/v2/events/list', '/v1/customer/list'];
    for (const path of paths) expect([path, (await browser.get(path)).status]).toEqual([path, 403]);
    const charge = await browser.post('/v2/transparents/create', { data: { amount: 100 } });
    expect(charge).toMatchObject({ status: 403, json: { code: 'PERMISSION_DENIED' } });
  });

  it('refuses an API key and unknown public keys', async () => {
    expect(await app.api.post(CREATE, { card: CARD })).toMatchObject({
      status: 403,
      json: { code: 'PERMISSION_DENIED' },
    });
    const unknown = `pk_dev_${'A'.repeat(43)}`;
    expect((await browser.as(unknown).post(CREATE, { card: CARD })).status).toBe(401);
    expect((await browser.as('pk_dev_short').post(CREATE, { card: CARD })).status).toBe(401);
  });

  it('refuses a public key at once after it was revoked', async () => {
    const revoked = await app.clientWith({ isPublic: true });
    expect((await revoked.post(CREATE, { card: CARD })).status).toBe(200);
    await app.database.em
      .fork()
      .execute('update api_keys set revoked_at = now() where public_text = :key', { key: revoked.key });
    expect((await revoked.post(CREATE, { card: CARD })).status).toBe(401);
  });

  it('claims no Idempotency-Key of the store', async () => {
    const headers = { 'Idempotency-Key': 'order-1' };
    const one = dataOf<ShownToken>(await browser.post(CREATE, { card: CARD }, { headers }));
    const other = dataOf<ShownToken>(await browser.post(CREATE, { card: CARD }, { headers }));
    expect(other.id).not.toBe(one.id);
    const charge = { data: { amount: 100 } };
    expect((await app.api.post('/v2/transparents/create', charge, { headers })).status).toBe(200);
  });
});

describe('a card', () => {
  it('names every wrong field of a card, repeats none and stores nothing', async () => {
    const before = await countTokens();
    const card = { number: '4242424242424241', holderName: ' ', expiry: '01/20', cvv: 'x' };
    const answer = await browser.post(CREATE, { card });
    expect(answer.status).toBe(422);
    expect(answer.json.issues?.map(({ path }) => path)).toEqual([
      'card.number',
      'card.holderName',
      'card.expiry',
      'card.cvv',
    ]);
    expect(JSON.stringify(answer.json)).not.toContain('4242424242424241');
    const real = await browser.post(CREATE, { card: { ...CARD, number: '5555555555554444' } });
    expect(real).toMatchObject({ status: 422, json: { rule: 'CARD_NOT_ACCEPTED' } });
    expect((await browser.post(CREATE, {})).json.issues?.map(({ path }) => path)).toEqual(['card']);
    expect(await countTokens()).toBe(before);
  });
});

describe('a page of another origin', () => {
  it('allows pages of other origins this operation and no other', async () => {
    const asked = (path: string) =>
      fetch(app.api.url + path, { method: 'OPTIONS', headers: { Origin: 'https://shop.example.com' } });
    const preflight = await asked(CREATE);
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const refused = await browser.post(CREATE, {});
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    for (const path of ['/v2/transparents/create', '/v2/card-tokens', '/dashboard'])
      expect((await asked(path)).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the limits of a public key', () => {
  it('keeps a reserve for addresses that send few cards', async () => {
    const proxied = await createTestApp(
      { config: { ...TEST_CONFIG, limitAnonymousTraffic: true, trustedProxies: ['127.0.0.0/8'] } },
      { database: app.database },
    );
    const shop = await app.clientWith({ isPublic: true });
    const key = await app.database.em.fork().findOneOrFail(ApiKeyEntity, { publicText: shop.key });
    await app.database.em
      .fork()
      .execute('insert into anonymous_traffic (key, points, expire) values (?, 1200, ?)', [
        `cardTokensOfKey:${key.id}`,
        Date.now() + 60_000,
      ]);
    const send = (host: number) =>
      fetch(proxied.api.url + CREATE, {
        method: 'POST',
        headers: {
          ...{ Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json' },
          'X-Forwarded-For': `198.51.100.${host}`,
        },
        body: JSON.stringify({ card: CARD }),
      });
    try {
      const statuses: number[] = [];
      for (let time = 0; time < 5; time++) statuses.push((await send(1)).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
      expect((await send(2)).status).toBe(200);
    } finally {
      await proxied.close();
    }
  });

  it('limits an address over processes, and not the API keys of the store', async () => {
    const limited = await createTestApp(
      { config: { ...TEST_CONFIG, limitAnonymousTraffic: true } },
      { database: app.database },
    );
    const second = await createTestApp(
      { config: { ...TEST_CONFIG, limitAnonymousTraffic: true } },
      { database: app.database },
    );
    try {
      const at = (url: string) =>
        fetch(url + CREATE, {
          method: 'POST',
          headers: { Authorization: `Bearer ${browser.key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ card: CARD }),
        });
      const urls = [limited.api.url, second.api.url];
      const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => at(urls[index % 2] ?? '')));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(20);
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await limited.api.as(app.api.key).get('/v2/store/get')).status).toBe(200);
    } finally {
      await limited.close();
      await second.close();
    }
  });
});
