import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openAttention } from '../../src/database/attention.ts';
import { balanceOf } from '../../src/database/ledger/ledger.ts';
import { verifyLedger } from '../../src/database/ledger/verify-ledger.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import { createBareWorld } from '../support/lives/bare-world.ts';
import { mustPay, notify, payUnnoticed, recordOf } from '../support/lives/charge-life.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { heldBy, movementsOf, withNewStore } from '../support/rows/books.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';

let shared: WorkflowWorld;
let world: WorkflowWorld;
beforeAll(async () => {
  shared = await createWorkflowWorld();
});
beforeEach(async () => {
  world = await withNewStore(shared);
  world.provider.refuseReturns();
});
afterAll(() => shared.close());

async function sleepingPix() {
  const charge = await insertPix(world);
  return { charge, workflow: await startAsleep(world, charge) };
}

/** What the store itself has, as the API answers it. */
const balance = () => balanceOf(world.database.em.fork(), { storeId: world.storeId, devMode: true });

async function needsAttention() {
  const open = await openAttention(world.database, 100);
  return open.filter(({ storeId }) => storeId === world.storeId).map(({ kind }) => kind);
}

async function discrepancies() {
  return (await verifyLedger(world.database.em.fork(), world.storeId)).discrepancies;
}

describe('a return that the rail refuses keeps the money in suspense, once, and ends the run', () => {
  it('of a charge that was paid twice', async () => {
    const { charge, workflow } = await sleepingPix();
    expect(await notify(world, await mustPay(world, charge))).toBe('PAID');
    const before = await balance();
    const second = await mustPay(world, charge);
    expect(await notify(world, second)).toBe('PAID');
    expect(await workflow.result()).toBe('PAID');
    expect((await recordOf(world, charge)).payments).toEqual(['ACCEPTED 10000', 'HELD 10000']);
    expect(await heldBy(world)).toMatchObject({ clearingCents: 20_000, suspenseCents: 10_000 });
    expect(await balance()).toEqual(before);

    // The provider tells it again, and would now take it back: a person may have returned it meanwhile.
    world.provider.refuseReturns(false);
    expect(await notify(world, second)).toBe('PAID');
    expect(world.provider.isReturned(second)).toBe(false);
    expect(await movementsOf(world)).toEqual(['PAYMENT', 'RETURN_RESERVED']);
    expect(await needsAttention()).toEqual(['RETURN_REFUSED']);
    expect(await discrepancies()).toEqual([]);
  });

  it('of a charge that was paid too little, which may still be paid', async () => {
    const { charge, workflow } = await sleepingPix();
    expect(await notify(world, await mustPay(world, charge, { amountCents: 9_999 }))).toBe('PENDING');
    expect(await heldBy(world)).toEqual({ clearingCents: 9_999, suspenseCents: 9_999 });
    const { typedSearchAttributes } = await workflow.describe();
    expect(typedSearchAttributes.get(searchAttribute.needsAttention)).toBe(true);
    expect(await notify(world, await mustPay(world, charge))).toBe('PAID');
    expect(await workflow.result()).toBe('PAID');
    expect((await recordOf(world, charge)).payments).toEqual(['ACCEPTED 10000', 'HELD 9999']);
    expect(await discrepancies()).toEqual([]);
  });

  it('of a charge that expires with too little', async () => {
    const { charge, workflow } = await sleepingPix();
    // Nobody tells of it: the provider is asked when the charge closes.
    await mustPay(world, charge, { amountCents: 1 });
    expect(await workflow.result()).toBe('EXPIRED');
    expect(await recordOf(world, charge)).toMatchObject({ status: 'EXPIRED', payments: ['HELD 1'] });
    expect(await needsAttention()).toEqual(['RETURN_REFUSED']);
    expect(await balance()).toEqual({ availableCents: 0, pendingCents: 0, blockedCents: 0 });
  });

  it('of a charge that had expired, and is not paid by it when it is told again', async () => {
    const { charge, workflow } = await sleepingPix();
    const late = payUnnoticed(world, charge, -1);
    expect(await workflow.result()).toBe('EXPIRED');
    for (let times = 0; times < 2; times += 1) expect(await notify(world, late)).toBe('EXPIRED');
    expect((await recordOf(world, charge)).payments).toEqual(['HELD 10000']);
    expect(await movementsOf(world)).toEqual(['RETURN_RESERVED']);
    expect(await discrepancies()).toEqual([]);
  });
});

describe('a worker without a provider', () => {
  it('asks for a person, once, and decides nothing', async () => {
    const bare = await createBareWorld();
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
