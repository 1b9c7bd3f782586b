import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from '../../src/cli/run.ts';
import { noteAttention } from '../../src/database/attention.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { mustPay, recordOf } from '../support/fixtures/charges.ts';
import { heldBy, movementsOf } from '../support/rows/books.ts';
import { insertPix } from '../support/rows/charges.ts';

let shared: BareFixture;
let fixture: BareFixture;
let charge: Charge;
beforeAll(async () => {
  shared = await createBareFixture();
});
beforeEach(async () => {
  fixture = await shared.withNewStore();
  await fixture.database.em.fork().execute('truncate attention');
  charge = await insertPix(fixture);
});
afterAll(() => shared.close());

async function cli(...args: string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await runCli(['attention', ...args], {
    env: { DATABASE_URL: fixture.url },
    print: (line) => out.push(line),
    printError: (line) => errors.push(line),
  });
  return { code, out: out.join('\n'), errors: errors.join('\n') };
}

/** A payment of R$ 0,01 that the provider refuses to send back. */
async function refusedReturn() {
  const payment = await mustPay(fixture, charge, { amountCents: 1 });
  fixture.provider.refuseReturns();
  const { providerPaymentId } = payment;
  await fixture.newWorker({}).recordPayment({ chargeId: charge.id, providerPaymentId, nowMs: Date.now() });
  fixture.provider.refuseReturns(false);
  return payment;
}

async function listed() {
  return JSON.parse((await cli('list', '--json')).out);
}

describe('attention list', () => {
  it('says what needs a person, since when, why, and what can be done', async () => {
    expect(await cli('list')).toEqual({ code: 0, out: 'Nothing needs a person.', errors: '' });
    const { providerPaymentId } = await refusedReturn();
    const [{ id, since }] = await listed();
    const { code, out } = await cli('list');
    expect(code).toBe(0);
    for (const part of [
      `${id}  since ${since}`,
      `of ${fixture.storeId} (dev): R$ 0,01, ${providerPaymentId} at the provider "misbehaving", paid for ${charge.id}`,
      'refused to return it',
      'suspense account',
      `npm run cli -- attention resolve ${id}`,
    ])
      expect(out).toContain(part);
  });
});

it('names amount, status and reference of a charge whose payment is not found', async () => {
  const unknownSinceMs = Date.now() - 2 * 60 * 60_000;
  const named = { chargeId: charge.id, providerPaymentId: 'E123', unknownSinceMs, nowMs: Date.now() };
  await fixture.newWorker({}).recordPayment(named);
  const [{ details, subjectId }] = await listed();
  expect(subjectId).toBe(`misbehaving/E123/${charge.id}`);
  expect(details).toMatch(/^R\$ 100,00 asked for at .*, now PENDING; .* as /);
  expect(details).toContain(charge.providerReference);
});

describe('attention resolve', () => {
  const BY_HAND = {
    payments: ['RETURNED 1'],
    movements: ['RETURN_RESERVED', 'RETURN_SETTLED'],
    held: {},
    open: [],
    discrepancies: [],
  };

  async function returnedEvents() {
    const about = { name: 'payment.returned' as const, subjectId: charge.id as never };
    const events = await fixture.database.em.fork().find(EventEntity, about);
    return events.map(({ data }) => JSON.parse(data).returnedPayment.reason);
  }

  async function afterwards() {
    return {
      payments: (await recordOf(fixture, charge)).payments,
      movements: await movementsOf(fixture),
      held: await heldBy(fixture),
      open: await listed(),
      discrepancies: (await verifyLedger(fixture.database.em.fork(), fixture.storeId)).discrepancies,
    };
  }

  it('takes a held payment out of suspense as returned, even if resolved twice', async () => {
    await refusedReturn();
    const [{ id }] = await listed();
    const first = await cli('resolve', id);
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining(`${id} is resolved since`) });
    expect(await afterwards()).toEqual(BY_HAND);
    expect(await cli('resolve', id)).toEqual(first);
    expect(await afterwards()).toEqual(BY_HAND);
  });

  it('records payment.returned once for a payment that a person returned', async () => {
    await refusedReturn();
    const [{ id }] = await listed();
    expect(await returnedEvents()).toEqual([]);
    await Promise.all(Array.from({ length: 3 }, () => cli('resolve', id)));
    expect(await returnedEvents()).toEqual(['AMOUNT_TOO_LOW']);
  });

  it('resolves once if many resolve at once', async () => {
    await refusedReturn();
    const [{ id }] = await listed();
    const answers = await Promise.all(Array.from({ length: 5 }, () => cli('resolve', id)));
    expect(new Set(answers.map(({ out }) => out)).size).toBe(1);
    expect(await afterwards()).toEqual(BY_HAND);
  });

  it('sends nothing back after a resolve, even if the provider reports it again', async () => {
    const payment = await refusedReturn();
    const [{ id }] = await listed();
    await cli('resolve', id);
    const { providerPaymentId } = payment;
    await fixture.newWorker({}).recordPayment({ chargeId: charge.id, providerPaymentId, nowMs: Date.now() });
    expect(fixture.provider.isReturned(payment)).toBe(false);
    expect(await afterwards()).toEqual(BY_HAND);
  });

  it('closes a problem that holds no money, and notes it as new when it returns', async () => {
    const about = { kind: 'RETURN_REFUSED', subjectId: 'paym_gone', storeId: null, devMode: null } as const;
    const noted = { ...about, since: new Date(0), now: new Date() };
    await noteAttention(fixture.database, noted);
    const [{ id }] = await listed();
    expect((await cli('resolve', id)).code).toBe(0);
    expect(await listed()).toEqual([]);
    expect(await noteAttention(fixture.database, noted)).toBe(true);
  });

  it('refuses to resolve an unknown problem with exit code 2', async () => {
    const { code, errors } = await cli('resolve', 'attn_none');
    expect([code, errors]).toEqual([2, expect.stringContaining('attn_none')]);
  });
});

describe('a refused return whose worker dies or that is notified twice at once', () => {
  const HELD_ONCE = { payments: ['HELD 1'], movements: ['RETURN_RESERVED'], open: 1 };

  async function written() {
    const { payments } = await recordOf(fixture, charge);
    return { payments, movements: await movementsOf(fixture), open: (await listed()).length };
  }

  it('records a held payment once if a worker dies and two ask again', async () => {
    const { providerPaymentId } = await mustPay(fixture, charge, { amountCents: 1 });
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    fixture.provider.refuseReturns();
    fixture.provider.afterNextAnswer('refund', () => Promise.reject(new Error('the worker died')));
    await expect(fixture.newWorker({}).recordPayment(input)).rejects.toThrow('the worker died');
    expect(await written()).toEqual({ payments: ['RETURNING 1'], movements: ['RETURN_RESERVED'], open: 0 });
    // The second worker asks while the first has its answer, and writes first.
    fixture.provider.afterNextAnswer('refund', () => fixture.newWorker({}).recordPayment(input));
    expect(await fixture.newWorker({}).recordPayment(input)).toEqual({
      status: 'PENDING',
      needsAttention: true,
    });
    fixture.provider.refuseReturns(false);
    expect(await written()).toEqual(HELD_ONCE);
  });
});
