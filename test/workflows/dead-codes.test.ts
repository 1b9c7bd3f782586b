import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Psp } from '../../scripts/psp/start-psp.ts';
import { openAttention } from '../../src/database/attention.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';

const HOUR_MS = 3_600_000;

interface Charge {
  readonly id: string;
  readonly status: string;
  readonly expiresAt: string;
  readonly brCode: string;
}

let app: MoneyApp;
let psp: Psp;
/** A client with an API key for real money. */
let api: ApiClient;

beforeAll(async () => {
  ({ app, psp, api } = await createStoreAtBank());
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  await app.close();
  await psp.close();
});

type Request = readonly [path: string, body: object, headers: Record<string, string>];

const byKey = (): Request => [
  '/v2/transparents/create',
  { method: 'PIX', data: { amount: 2_500 } },
  { 'Idempotency-Key': randomUUID() },
];
const byExternalId = (): Request => [
  '/v2/transparents/create',
  { method: 'PIX', data: { amount: 2_500, externalId: randomUUID() } },
  {},
];
const ofV1 = (): Request => [
  '/v1/pixQrCode/create',
  { amount: 2_500, expiresIn: 3_600 },
  { 'Idempotency-Key': randomUUID() },
];
const send = ([path, body, headers]: Request) => api.post(path, body, { headers });
const made = async (request: Request) => dataOf<Charge>(await send(request));
const atBank = ({ id }: Pick<Charge, 'id'>) => psp.bank.findCharge('cob', id.slice(-26));
const chargesAtBank = () => Object.keys(psp.bank.state.charges).length;
const sql = (text: string) => app.database.em.fork().execute<unknown[]>(text);
const expiryAtBank = (charge: Charge): number => {
  const { createdAt, asked } = atBank(charge);
  return Date.parse(createdAt) + (asked.calendario.expiracao ?? 0) * 1_000;
};

/** Makes the database as it was before the request, as a restore does. The bank still has the charge. */
async function restoreToBefore({ id }: Charge): Promise<void> {
  await sql(`delete from charges where id = '${id}'`);
  await sql('delete from idempotency_records');
  await sql('delete from charge_orders');
}

describe('a request that is repeated after its charge was lost with a restore', () => {
  it('returns the code that the bank issued before the restore', async () => {
    for (const request of [byKey(), byExternalId(), ofV1()]) {
      const before = await made(request);
      const count = chargesAtBank();
      await restoreToBefore(before);
      const again = await made(request);
      expect(again).toMatchObject({ id: before.id, brCode: before.brCode, status: 'PENDING' });
      expect(chargesAtBank()).toBe(count);
      expect(atBank(again).status).toBe('ATIVA');
    }
  });

  it('never returns a later expiry than the code has at the bank', async () => {
    const request = byKey();
    const before = await made(request);
    atBank(before).asked.calendario.expiracao = 60_000;
    await restoreToBefore(before);
    const again = await made(request);
    expect(again.id).toBe(before.id);
    expect(Date.parse(again.expiresAt)).toBe(expiryAtBank(again));
  });

  it('extends a code that expired before the request was repeated', async () => {
    const request = byKey();
    const before = await made(request);
    Object.assign(atBank(before), { createdAt: new Date(Date.now() - 3 * HOUR_MS).toISOString() });
    await restoreToBefore(before);
    const again = await made(request);
    expect(again.id).toBe(before.id);
    expect(expiryAtBank(again)).toBeGreaterThanOrEqual(Date.parse(again.expiresAt));
    expect(Date.parse(again.expiresAt)).toBeGreaterThan(Date.now());
    psp.bank.pay(again.id.slice(-26));
  });

  it('issues another code once if the first one was removed at the bank', async () => {
    for (const request of [byKey(), byExternalId()]) {
      const before = await made(request);
      atBank(before).status = 'REMOVIDA_PELO_PSP';
      await restoreToBefore(before);
      const again = await made(request);
      expect(again).toMatchObject({ status: 'PENDING', id: expect.not.stringMatching(before.id) });
      expect(atBank(again).status).toBe('ATIVA');
      await restoreToBefore(again);
      expect(await made(request)).toMatchObject({ id: again.id });
    }
  });

  it('returns PAID and resolves the unknown payment if the code was paid', async () => {
    for (const request of [byKey(), byExternalId()]) {
      const before = await made(request);
      const { endToEndId } = psp.bank.pay(before.id.slice(-26));
      await restoreToBefore(before);
      await takeListed(app.parts, new Date(Date.now() + 1_000));
      const noted = async () =>
        (await openAttention(app.database, 100)).filter(({ subjectId }) => subjectId.endsWith(endToEndId));
      expect(await noted()).toMatchObject([{ kind: 'UNKNOWN_PAYMENT' }]);
      const again = await made(request);
      expect(again).toMatchObject({ id: before.id, status: 'PAID' });
      expect(await noted()).toEqual([]);
      expect(await sql(`select outcome from payments where charge_id = '${before.id}'`)).toEqual([
        { outcome: 'ACCEPTED' },
      ]);
      expect(await made(request)).toMatchObject({ id: before.id, status: 'PAID' });
    }
  });
});

describe('a request that is repeated after its charge was rebuilt from the bank', () => {
  /** Makes the charge as `accounts recover` rebuilds it: the bank does not know the request. */
  async function rebuilt({ id }: Charge): Promise<void> {
    await sql(`update charges set content_hash = 'recovered', external_id = null where id = '${id}'`);
    await sql('delete from idempotency_records');
  }

  it('returns the rebuilt charge and restores its externalId', async () => {
    for (const request of [byKey(), byExternalId()]) {
      const before = await made(request);
      const count = chargesAtBank();
      await rebuilt(before);
      expect(await made(request)).toMatchObject({
        id: before.id,
        status: 'PENDING',
        externalId: (request[1] as { data: { externalId?: string } }).data.externalId ?? null,
      });
      expect(await made(request)).toMatchObject({ id: before.id });
      expect(chargesAtBank()).toBe(count);
      expect(await sql('select 1 from charge_orders')).toEqual([]);
    }
  });

  it('returns PAID for a rebuilt charge if its payment is at the bank', async () => {
    const request = byKey();
    const before = await made(request);
    psp.bank.pay(before.id.slice(-26));
    await rebuilt(before);
    expect(await made(request)).toMatchObject({ id: before.id, status: 'PAID' });
  });
});

describe('a request that is repeated with its Idempotency-Key', () => {
  it('returns the current status of the charge, not the original one', async () => {
    const [cancelled, paid, open] = [byKey(), ofV1(), byKey()];
    const charges = await Promise.all([cancelled, paid, open].map(made));
    dataOf(await api.post('/v2/transparents/cancel', { id: charges[0]?.id }));
    psp.bank.pay(`${charges[1]?.id.slice(-26)}`);
    await takeListed(app.parts, new Date(Date.now() + 1_000));
    expect(await made(cancelled)).toMatchObject({ id: charges[0]?.id, status: 'CANCELLED' });
    expect(await made(paid)).toMatchObject({ id: charges[1]?.id, status: 'PAID' });
    const replayed = await send(open);
    expect(dataOf(replayed)).toEqual(charges[2]);
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true');
  });

  it('returns 503 until the outcome of a charge past its deadline is known', async () => {
    const request = byKey();
    const { id } = await made(request);
    await sql(`update charges set closes_at = now() - interval '1 minute' where id = '${id}'`);
    expect((await send(request)).status).toBe(503);
    await sql(`update charges set status = 'EXPIRED' where id = '${id}'`);
    expect(await made(request)).toMatchObject({ id, status: 'EXPIRED' });
  });
});

it('issues another code for an externalId each time its charge has ended', async () => {
  const request = byExternalId();
  const ids = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const { id } = await made(request);
    ids.add(id);
    await sql(`update charges set status = 'EXPIRED' where id = '${id}'`);
  }
  expect(ids.size).toBe(20);
});
