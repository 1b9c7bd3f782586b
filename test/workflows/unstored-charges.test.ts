import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Psp } from '../../scripts/psp/start-psp.ts';
import { noteOrder } from '../../src/charges/charge-orders.ts';
import { insertCharge } from '../../src/charges/insert-charge.ts';
import { orderedId } from '../../src/charges/ordered-id.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { portOf } from '../../src/providers/provider.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { cutInsert, hold, untilWaiting } from '../support/waiting/hold.ts';

const MINUTE_MS = 60_000;

let app: MoneyApp;
let psp: Psp;
/** A client with a key of production. */
let api: ApiClient;

beforeAll(async () => {
  ({ app, psp, api } = await createStoreAtBank());
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  await app.close();
  await psp.close();
});

const BODY = { method: 'PIX', data: { amount: 2_500 } } as const;
const create = (key: string | null, data: object = {}) =>
  api.post(
    '/v2/transparents/create',
    { ...BODY, data: { ...BODY.data, ...data } },
    { headers: key === null ? {} : { 'Idempotency-Key': key } },
  );
const atBank = () => Object.values(psp.bank.state.charges);
const orders = () => app.database.em.fork().execute<unknown[]>('select 1 from charge_orders');
const rows = () => app.database.em.fork().count(ChargeEntity, { devMode: false });
const roundAfter = (ms: number) => takeListed(app.parts, new Date(Date.now() + ms));

/** Has the bank issue a charge and ends the request before it commits. @returns the txid. */
async function dieBeforeCommit(key: string | null, data: object = {}): Promise<string> {
  const before = new Set(atBank().map(({ txid }) => txid));
  await using held = await hold(app.database, 'lock table charges in exclusive mode');
  const asked = create(key, data);
  await cutInsert(app.database, 'charges');
  expect((await asked).status).toBe(503);
  await held.release();
  const [made] = atBank().filter(({ txid }) => !before.has(txid));
  if (made === undefined) throw new Error('the bank was not asked');
  return made.txid;
}

describe('a request whose process died between the bank and the commit', () => {
  it('returns the same charge of the bank when the request is repeated', async () => {
    for (const [key, data] of [
      [randomUUID(), {}],
      [null, { externalId: randomUUID() }],
    ] as const) {
      const [charges, stored] = [atBank().length, await rows()];
      const txid = await dieBeforeCommit(key, data);
      const { id } = dataOf<{ id: string }>(await create(key, data));
      expect(id.slice(-txid.length)).toBe(txid);
      expect(atBank()).toHaveLength(charges + 1);
      expect(psp.bank.findCharge('cob', txid)).toMatchObject({ status: 'ATIVA', revision: 0 });
      expect(await rows()).toBe(stored + 1);
      expect(await orders()).toEqual([]);
    }
  });

  it('cancels only the unstored charge at the bank if the request is never repeated', async () => {
    dataOf(await create(randomUUID()));
    const active = atBank().filter(({ status }) => status === 'ATIVA').length;
    const txid = await dieBeforeCommit(null);
    expect(await roundAfter(9 * MINUTE_MS)).toMatchObject({ takenBack: 0 });
    expect(psp.bank.findCharge('cob', txid).status).toBe('ATIVA');
    expect(await roundAfter(11 * MINUTE_MS)).toMatchObject({ takenBack: 1, failed: 0 });
    expect(psp.bank.findCharge('cob', txid).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    expect(atBank().filter(({ status }) => status === 'ATIVA')).toHaveLength(active);
    expect(await orders()).toEqual([]);
    expect(await roundAfter(11 * MINUTE_MS)).toMatchObject({ takenBack: 0 });
  });

  it('cancels an unstored charge in the round after one in which the bank was down', async () => {
    const txid = await dieBeforeCommit(null);
    psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, on: 'PATCH cob' });
    psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, on: 'GET cob' });
    expect(await roundAfter(11 * MINUTE_MS)).toMatchObject({ takenBack: 0, failed: 1 });
    expect(await orders()).toHaveLength(1);
    expect(await roundAfter(11 * MINUTE_MS)).toMatchObject({ takenBack: 1, failed: 0 });
    expect(psp.bank.findCharge('cob', txid).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });
});

it('cancels the other unstored charges if one of them cannot be closed', async () => {
  const [stuck, other] = [await dieBeforeCommit(null), await dieBeforeCommit(null)];
  for (const on of ['PATCH cob', 'GET cob']) psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, on });
  expect(await roundAfter(11 * MINUTE_MS)).toMatchObject({ takenBack: 1, failed: 1 });
  expect(psp.bank.findCharge('cob', stuck).status).toBe('ATIVA');
  expect(psp.bank.findCharge('cob', other).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  expect(await roundAfter(11 * MINUTE_MS)).toMatchObject({ takenBack: 1, failed: 0 });
});

it('refuses to store a charge that was cancelled at the bank while it was issued', async () => {
  const { id: like } = dataOf<{ id: ChargeId }>(await create(null));
  const row = await app.database.em.fork().findOneOrFail(ChargeEntity, { id: like });
  const provider = await app.parts.providers.issuerOf(row);
  const asking = { database: app.database, devMode: false, provider, sameAs: null, now: new Date() };
  const id = await orderedId(asking)('pixCharge', null);
  const wanted = { description: null, beneficiary: { name: 'Loja', city: 'SANTOS', taxId: null } };
  const payer = { name: null, taxId: null };
  const issued = {
    chargeId: id,
    amountCents: row.amountCents,
    ...wanted,
    payer,
    expiresInSeconds: 3_600,
    now: new Date(),
  };
  await portOf(provider, 'pix').issue(issued);
  await roundAfter(11 * MINUTE_MS);
  const late = { ...row, id, providerReference: id.slice(-26) };
  await expect(insertCharge(app.database, late)).rejects.toMatchObject({ kind: 'RETRY' });
  expect(await app.database.em.fork().count(ChargeEntity, { id })).toBe(0);
  expect(psp.bank.findCharge('cob', late.providerReference).status).not.toBe('ATIVA');
});

it('stores one charge for ten parallel requests and cancels the rest at the bank', async () => {
  const stored = await rows();
  const active = () => atBank().filter(({ status }) => status === 'ATIVA').length;
  const before = active();
  const externalId = randomUUID();
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(null, { externalId })));
  const ids = new Set(answers.map((answer) => dataOf<{ id: string }>(answer).id));
  expect(ids.size).toBe(1);
  await roundAfter(11 * MINUTE_MS);
  expect(active()).toBe(before + 1);
  expect(await rows()).toBe(stored + 1);
  expect(await orders()).toEqual([]);
  const charges = atBank().length;
  expect(dataOf(await create(null, { externalId }))).toMatchObject({ id: [...ids][0] });
  expect((await create(null, { externalId, description: 'outra' })).status).toBe(409);
  expect(atBank()).toHaveLength(charges);
});

it('never cancels a charge whose order was noted again while it was stored', async () => {
  const externalId = randomUUID();
  await using stores = await hold(app.database, 'lock table charges in exclusive mode');
  const first = create(null, { externalId });
  await untilWaiting(app.database, 1);
  await using ends = await hold(app.database, 'select from charge_orders for update');
  await stores.release();
  await untilWaiting(app.database, 1);
  // The second request waits for the order that the first one deletes, and has read rows from before the
  // charge was stored.
  const second = create(null, { externalId });
  await untilWaiting(app.database, 2);
  await ends.release();
  const { id } = dataOf<{ id: string }>(await first);
  expect(dataOf(await second)).toMatchObject({ id });
  expect(await orders()).toEqual([]);
  await roundAfter(11 * MINUTE_MS);
  expect(psp.bank.findCharge('cob', id.slice(-26)).status).toBe('ATIVA');
});

it('deletes the order of a stored charge and leaves the charge open', async () => {
  const { id } = dataOf<{ id: ChargeId }>(await create(null));
  const { provider } = await app.database.em.fork().findOneOrFail(ChargeEntity, { id });
  await noteOrder(app.database, { chargeId: id, provider, now: new Date() });
  expect(await roundAfter(11 * MINUTE_MS)).toMatchObject({ takenBack: 0, failed: 0 });
  expect(psp.bank.findCharge('cob', id.slice(-26)).status).toBe('ATIVA');
  expect(await orders()).toEqual([]);
});
