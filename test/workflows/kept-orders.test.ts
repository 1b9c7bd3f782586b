import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Psp } from '../../scripts/psp/start-psp.ts';
import { openAttention } from '../../src/database/attention.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { rebuild } from '../../src/recovery/rebuild.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { cutInsert, hold } from '../support/waiting/hold.ts';

const MINUTE_MS = 60_000;

let app: MoneyApp;
let psp: Psp;
/** A client with an API key for real money. */
let api: ApiClient;
/** How far the time of the rounds is ahead. It never decreases. */
let aheadMs = 0;

beforeAll(async () => {
  ({ app, psp, api } = await createStoreAtBank());
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const create = (key: string) =>
  api.post(
    '/v2/transparents/create',
    { method: 'PIX', data: { amount: 2_500 } },
    { headers: { 'Idempotency-Key': key } },
  );
const atBank = () => Object.values(psp.bank.state.charges);
const orders = () => app.database.em.fork().execute<unknown[]>('select 1 from charge_orders');
const roundLater = (ms: number) => {
  aheadMs += ms;
  return takeListed(app.parts, new Date(Date.now() + aheadMs));
};
const noted = async (endToEndId: string) =>
  (await openAttention(app.database, 100)).filter(({ subjectId }) => subjectId.endsWith(endToEndId));

/** The bank has issued the code, and the database is that of a backup made before the charge was stored. */
async function restoredWhileIssuing(key: string): Promise<string> {
  const before = new Set(atBank().map(({ txid }) => txid));
  await using held = await hold(app.database, 'lock table charges in exclusive mode');
  const asked = create(key);
  await cutInsert(app.database, 'charges');
  expect((await asked).status).toBe(503);
  await held.release();
  const [made] = atBank().filter(({ txid }) => !before.has(txid));
  if (made === undefined) throw new Error('the bank was not asked');
  return made.txid;
}

/** Runs no round for an hour, as if Postgres was restored, and then three rounds, after which requests have timed out. */
async function comeBack(): Promise<void> {
  await roundLater(60 * MINUTE_MS);
  for (const ms of [5, 5, 5]) await roundLater(ms * MINUTE_MS);
}

describe('a code whose charge may have been stored and lost with a restore', () => {
  it('keeps a code payable and records its payment when the request is repeated', async () => {
    await roundLater(0);
    const key = randomUUID();
    const txid = await restoredWhileIssuing(key);
    await comeBack();
    expect(psp.bank.findCharge('cob', txid).status).toBe('ATIVA');
    expect(await orders()).toHaveLength(1);

    const { endToEndId } = psp.bank.pay(txid);
    expect(await roundLater(5 * MINUTE_MS)).toMatchObject({ failed: 0 });
    expect(await noted(endToEndId)).toMatchObject([{ kind: 'UNKNOWN_PAYMENT' }]);
    const charge = dataOf<{ id: string; status: string }>(await create(key));
    expect(charge).toMatchObject({ status: 'PAID', id: expect.stringContaining(txid) });
    expect(await noted(endToEndId)).toEqual([]);
    expect(await orders()).toEqual([]);
  });

  it('returns the same unpaid code to a repeated request', async () => {
    const key = randomUUID();
    const txid = await restoredWhileIssuing(key);
    await comeBack();
    expect(dataOf<{ id: string }>(await create(key)).id).toContain(txid);
    expect(psp.bank.findCharge('cob', txid).status).toBe('ATIVA');
  });

  it('deletes the order of a code that has expired at the bank', async () => {
    const txid = await restoredWhileIssuing(randomUUID());
    await comeBack();
    expect(await orders()).toHaveLength(1);
    Object.assign(psp.bank.findCharge('cob', txid), { createdAt: new Date(0).toISOString() });
    expect(await roundLater(5 * MINUTE_MS)).toMatchObject({ takenBack: 1 });
    expect(await orders()).toEqual([]);
  });

  it('keeps a code payable once an operator has rebuilt workflows', async () => {
    const txid = await restoredWhileIssuing(randomUUID());
    for await (const _ of rebuild(
      { ...app.parts, taskQueue: app.taskQueue },
      { now: new Date(), startedBefore: null },
    ));
    for (const ms of [5, 5, 5]) await roundLater(ms * MINUTE_MS);
    expect(psp.bank.findCharge('cob', txid).status).toBe('ATIVA');
  });
});

it('removes a code that was never stored if the rounds never paused', async () => {
  const txid = await restoredWhileIssuing(randomUUID());
  for (const ms of [5, 5, 5]) await roundLater(ms * MINUTE_MS);
  expect(psp.bank.findCharge('cob', txid).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
});

it('reports the payment of a code that was paid before it could be removed', async () => {
  const txid = await restoredWhileIssuing(randomUUID());
  const { endToEndId } = psp.bank.pay(txid);
  for (const ms of [5, 5, 5]) await roundLater(ms * MINUTE_MS);
  expect(await noted(endToEndId)).toMatchObject([{ kind: 'UNKNOWN_PAYMENT' }]);
});
