import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { adoptRecovered } from '../../src/charges/adopt-charge.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { SubAccountEntity } from '../../src/database/entities/sub-account.ts';
import { SubAccountEntryEntity } from '../../src/database/entities/sub-account-entry.ts';
import type { SubAccountId } from '../../src/domain/ids.ts';
import { RECOVERED_CONTENT } from '../../src/domain/recovered.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { refund } from '../support/fixtures/money.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { heldBy, withNewStore } from '../support/rows/books.ts';
import { insertPix } from '../support/rows/charges.ts';
import { insertSubAccount } from '../support/rows/sub-accounts.ts';

let shared: WorkflowFixture;
let fixture: WorkflowFixture;
let seller: SubAccountId;
beforeAll(async () => {
  shared = await createWorkflowFixture();
});
beforeEach(async () => {
  fixture = await withNewStore(shared);
  seller = await insertSubAccount(fixture.database, { storeId: fixture.storeId, devMode: true });
});
afterAll(() => shared.close());

const em = () => fixture.database.em.fork();
const splitPix = () => insertPix(fixture, { splits: [{ subAccountId: seller, amountCents: 7_000 }] });
const entries = async () => {
  const rows = await em().find(SubAccountEntryEntity, { subAccountId: seller }, { orderBy: { number: 1 } });
  return rows.map(({ kind, amountCents, balanceAfterCents }) => [kind, amountCents, balanceAfterCents]);
};
const expectSoundBooks = async () =>
  expect((await verifyLedger(em(), fixture.storeId)).discrepancies).toEqual([]);

it('splits a payment once, however often it is notified', async () => {
  const charge = await splitPix();
  const payment = await mustPay(fixture, charge);
  await Promise.all([notify(fixture, payment), notify(fixture, payment), notify(fixture, payment)]);
  expect(await entries()).toEqual([['PAYMENT', 7_000, 7_000]]);
  expect(await heldBy(fixture)).toEqual({
    clearingCents: 10_000,
    availableCents: 2_920,
    platformFeesCents: 80,
    subAccountsCents: 7_000,
  });
  await expectSoundBooks();
});

it('splits nothing of a payment that is returned to its payer', async () => {
  const charge = await splitPix();
  await notify(fixture, await mustPay(fixture, charge));
  await notify(fixture, await mustPay(fixture, charge));
  expect(await entries()).toEqual([['PAYMENT', 7_000, 7_000]]);
  await expectSoundBooks();
});

it('gives the share back to the sub-account when the provider refuses the refund', async () => {
  const charge = await splitPix();
  await notify(fixture, await mustPay(fixture, charge));
  fixture.provider.refuseReturns();
  await refund(fixture, charge);
  fixture.provider.refuseReturns(false);
  expect(await entries()).toEqual([
    ['PAYMENT', 7_000, 7_000],
    ['REFUND_RESERVED', -7_000, 0],
    ['REFUND_FAILED', 7_000, 7_000],
  ]);
  await expectSoundBooks();
  await refund(fixture, charge);
  expect(await heldBy(fixture)).toEqual({});
  expect(await em().findOneOrFail(SubAccountEntity, { id: seller })).toMatchObject({ balanceCents: 0 });
  await expectSoundBooks();
});

it('splits a payment that was accepted before a restore lost its request', async () => {
  const charge = await insertPix(fixture);
  await notify(fixture, await mustPay(fixture, charge));
  await em().nativeUpdate(ChargeEntity, { id: charge.id }, { contentHash: RECOVERED_CONTENT });
  const repeated = { ...charge, splits: [{ subAccountId: seller, amountCents: 7_000 }] };
  expect(await adoptRecovered(fixture.database, repeated)).toBe(true);
  expect(await adoptRecovered(fixture.database, repeated)).toBe(false);
  expect(await entries()).toEqual([['PAYMENT', 7_000, 7_000]]);
  await expectSoundBooks();
});
