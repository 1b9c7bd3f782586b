import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownTransfer } from '../../src/api/payouts/schema.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import type { PayoutId, StoreId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { payeeCode } from '../support/outside/payee-codes.ts';
import { availableCents, credit } from '../support/rows/credit.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { testAccounts } from '../support/rows/two-accounts.ts';

const CODE = { type: 'BR_CODE', key: payeeCode() };

let db: TestDatabase;
let app: TestApp;
let storeId: StoreId;
let sendsFrom: string;
let api: ApiClient;
let add: ReturnType<typeof testAccounts>['shop'];

beforeAll(async () => {
  db = await createTestDatabase();
  const accounts = testAccounts(db.database);
  add = accounts.shop;
  const starter = { startSoon: () => undefined };
  app = await createTestApp({ providers: accounts.providers, starter }, { database: db.database });
});
afterAll(async () => {
  await app.close();
  await db.drop();
});
beforeEach(async () => {
  ({ storeId, sendsFrom } = await add());
  api = await app.clientWith({ storeId, devMode: false });
  await credit(db.database, { storeId, devMode: false, provider: sendsFrom }, 10_000);
});

const send = (pix: object, path = '/v2/pix/send') =>
  api.post(path, {
    amount: 700,
    externalId: 'supplier-1',
    pix,
    ...(path.startsWith('/v1') && { method: 'PIX' }),
  });
const available = () => availableCents(db.database, { storeId, devMode: false });

describe('a store whose bank sends to keys only', () => {
  it('refuses a BR Code with a txid and names the alternative', async () => {
    const refused = await send(CODE);
    expect(refused).toMatchObject({
      status: 422,
      json: { code: 'NOT_ACCEPTABLE', rule: 'TXID_NOT_CARRIED', issues: [{ path: 'pix.key' }] },
    });
    expect(refused.json.error).toContain('send to the key inside the code instead');
    expect(await send(CODE, '/v1/withdraw/create')).toMatchObject({ status: 422 });
    expect(await available()).toBe(10_000);
    expect(dataOf<ShownTransfer>(await send({ type: 'EMAIL', key: 'ana@example.com' })).pix.txid).toBeNull();
  });

  it('gets the transfer that an earlier release created if it repeats that request', async () => {
    const { id } = dataOf<ShownTransfer>(await send({ type: 'EMAIL', key: 'ana@example.com' }));
    // As it was stored before txids were: sent to the key inside the code.
    const contentHash = hash('sha256', JSON.stringify([700, null, ['BR_CODE', CODE.key]]));
    const row = { contentHash, pixKeyType: 'BR_CODE', pixKey: CODE.key, payeeTxid: null } as const;
    await db.database.em.fork().nativeUpdate(PayoutEntity, { id: id as PayoutId }, row);
    expect(dataOf<ShownTransfer>(await send(CODE))).toMatchObject({ id, pix: { txid: null } });
  });
});
