import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openAttention } from '../../src/database/attention.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import { createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { mustPay, notify, payUnnoticed, recordOf } from '../support/fixtures/charges.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { heldBy, movementsOf, withNewStore } from '../support/rows/books.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';

let shared: WorkflowFixture;
let fixture: WorkflowFixture;
beforeAll(async () => {
  shared = await createWorkflowFixture();
});
beforeEach(async () => {
  fixture = await withNewStore(shared);
  fixture.provider.refuseReturns();
});
afterAll(() => shared.close());

async function sleepingPix() {
  const charge = await insertPix(fixture);
  return { charge, workflow: await startAsleep(fixture, charge) };
}

/** The store's own balance, as the API returns it. */
const balance = () => balanceOf(fixture.database.em.fork(), { storeId: fixture.storeId, devMode: true });

async function needsAttention() {
  const open = await openAttention(fixture.database, 100);
  return open.filter(({ storeId }) => storeId === fixture.storeId).map(({ kind }) => kind);
}

async function discrepancies() {
  return (await verifyLedger(fixture.database.em.fork(), fixture.storeId)).discrepancies;
}

describe('a return that the provider refuses', () => {
  it('holds the second payment of a charge in suspense once and ends the run', async () => {
    const { charge, workflow } = await sleepingPix();
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    const before = await balance();
    const second = await mustPay(fixture, charge);
    expect(await notify(fixture, second)).toBe('PAID');
    expect(await workflow.result()).toBe('PAID');
    expect((await recordOf(fixture, charge)).payments).toEqual(['ACCEPTED 10000', 'HELD 10000']);
    expect(await heldBy(fixture)).toMatchObject({ clearingCents: 20_000, suspenseCents: 10_000 });
    expect(await balance()).toEqual(before);

    // The provider notifies again and would now accept the return. A person may already have returned it.
    fixture.provider.refuseReturns(false);
    expect(await notify(fixture, second)).toBe('PAID');
    expect(fixture.provider.isReturned(second)).toBe(false);
    expect(await movementsOf(fixture)).toEqual(['PAYMENT', 'RETURN_RESERVED']);
    expect(await needsAttention()).toEqual(['RETURN_REFUSED']);
    expect(await discrepancies()).toEqual([]);
  });

  it('holds an underpayment in suspense and still accepts the full payment', async () => {
    const { charge, workflow } = await sleepingPix();
    expect(await notify(fixture, await mustPay(fixture, charge, { amountCents: 9_999 }))).toBe('PENDING');
    expect(await heldBy(fixture)).toEqual({ clearingCents: 9_999, suspenseCents: 9_999 });
    const { typedSearchAttributes } = await workflow.describe();
    expect(typedSearchAttributes.get(searchAttribute.needsAttention)).toBe(true);
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    expect(await workflow.result()).toBe('PAID');
    expect((await recordOf(fixture, charge)).payments).toEqual(['ACCEPTED 10000', 'HELD 9999']);
    expect(await discrepancies()).toEqual([]);
  });

  it('holds an underpayment that is found when the charge expires', async () => {
    const { charge, workflow } = await sleepingPix();
    // No notification arrives: Recebe asks the provider when the charge closes.
    await mustPay(fixture, charge, { amountCents: 1 });
    expect(await workflow.result()).toBe('EXPIRED');
    expect(await recordOf(fixture, charge)).toMatchObject({ status: 'EXPIRED', payments: ['HELD 1'] });
    expect(await needsAttention()).toEqual(['RETURN_REFUSED']);
    expect(await balance()).toEqual({
      availableCents: 0,
      pendingCents: 0,
      blockedCents: 0,
      subAccountsCents: 0,
    });
  });

  it('holds a late payment once and keeps the charge expired when notified again', async () => {
    const { charge, workflow } = await sleepingPix();
    const late = payUnnoticed(fixture, charge, -1);
    expect(await workflow.result()).toBe('EXPIRED');
    for (let times = 0; times < 2; times += 1) expect(await notify(fixture, late)).toBe('EXPIRED');
    expect((await recordOf(fixture, charge)).payments).toEqual(['HELD 10000']);
    expect(await movementsOf(fixture)).toEqual(['RETURN_RESERVED']);
    expect(await discrepancies()).toEqual([]);
  });
});

describe('a worker without a provider', () => {
  it('opens one attention note without a provider and keeps the charge pending', async () => {
    const bare = await createBareFixture();
    try {
      const charge = await insertPix(bare);
      await bare.database.em.fork().execute('update charges set dev_mode = false');
      const input = { chargeId: charge.id, nowMs: Date.now() };
      for (let times = 0; times < 2; times += 1)
        await expect(bare.newWorker({}).expireCharge(input)).rejects.toThrow('No payment provider');
      expect(await openAttention(bare.database, 100)).toEqual([
        expect.objectContaining({
          kind: 'NO_PROVIDER',
          subjectId: charge.provider,
          storeId: null,
          devMode: false,
        }),
      ]);
      expect((await recordOf(bare, charge)).status).toBe('PENDING');
    } finally {
      await bare.close();
    }
  });
});
