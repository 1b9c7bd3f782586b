import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import { recordOf } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  chargeWorkflowOf,
  checkoutRecordOf,
  openCheckout,
  takeUpSell,
} from '../support/fixtures/checkouts.ts';
import { bundleWorkflows } from '../support/fixtures/workflow-bundle.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { insertProduct } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

const BY_CARD = { method: 'CARD' } as const;
const CONFIRM = {
  outcome: 'REQUIRES_ACTION',
  url: 'https://bank.example.com/3ds',
  pollAfterMs: 5_000,
} as const;
const THREE_HOURS_MS = 3 * 60 * 60_000;
/** Three days before a release: Recebe asks every few minutes, and each try costs a tenth of a second. */
const OUTAGE_MS = IS_THOROUGH ? 24 * THREE_HOURS_MS : THREE_HOURS_MS;
const OUTAGE = ['chargeCard', 'close', 'findByReference', 'findPayment'] as const;

let fixture: WorkflowFixture;
beforeAll(async () => {
  // Local activities wait for their next try in the worker, and so in real time.
  const impatient = new URL('../support/fixtures/impatient-workflows.ts', import.meta.url);
  fixture = await createWorkflowFixture({ bundle: await bundleWorkflows(undefined, [impatient]) });
});
afterEach(() => {
  fixture.provider.forgetUndecided();
  setAway(false);
});
afterAll(() => fixture.close());

function setAway(isAway: boolean): void {
  for (const call of OUTAGE) fixture.provider.failNext(call, isAway ? Infinity : 0);
}

/** The payer was sent to their bank, and the provider answers nothing from then on. @param times see `answerCardsFirst`. */
async function sentToBankBeforeOutage(checkout: Checkout, times = 1): Promise<Charge> {
  fixture.provider.answerCardsFirst(...Array.from({ length: times }, () => CONFIRM));
  const charge = await beginPayment(fixture, checkout, BY_CARD);
  expect(charge).toMatchObject({ status: 'PENDING', actionUrl: CONFIRM.url });
  setAway(true);
  return charge;
}

it('accepts a confirmed payment once after a long outage', async () => {
  const checkout = await openCheckout(fixture);
  const charge = await sentToBankBeforeOutage(checkout);
  const { providerReference: reference, amountCents } = charge;
  await fixture.environment.sleep(OUTAGE_MS);
  expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ status: 'PENDING', events: 0 });
  setAway(false);
  expect(await chargeWorkflowOf(fixture, charge).result()).toBe('PAID');
  expect(await recordOf(fixture, charge)).toMatchObject({
    ...{ status: 'PAID', payments: [`ACCEPTED ${amountCents}`] },
    events: ['checkout.completed'],
  });
  expect(fixture.provider.keptCents(reference)).toBe(amountCents);
});

it('gives an abandoned payment up after an outage without blocking others', async () => {
  const checkout = await openCheckout(fixture);
  const abandoned = await sentToBankBeforeOutage(checkout, 30);
  await fixture.environment.sleep(THREE_HOURS_MS);
  // The payer pays by PIX while cards do not work.
  const other = await beginPayment(fixture, checkout);
  expect(other).toMatchObject({ method: 'PIX', status: 'PENDING' });
  setAway(false);
  await expect(chargeWorkflowOf(fixture, abandoned).result()).rejects.toThrow();
  expect(fixture.provider.isClosed(abandoned.providerReference)).toBe(true);
  expect(fixture.provider.keptCents(abandoned.providerReference)).toBe(0);
  fixture.provider.forgetUndecided();
  expect(await beginPayment(fixture, checkout, BY_CARD)).toMatchObject({ status: 'PAID' });
  expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ status: 'PAID' });
  const { events } = await chargeWorkflowOf(fixture, abandoned).fetchHistory();
  expect(events?.length).toBeLessThan(200);
});

it('keeps the first payment if the confirmation of an upsell is abandoned', async () => {
  const product = await insertProduct(fixture, { name: 'Embrulho', priceCents: 1_500 });
  const checkout = await openCheckout(fixture, { upSellProductId: product.id });
  const first = await beginPayment(fixture, checkout, BY_CARD);
  expect(first.status).toBe('PAID');
  fixture.provider.answerCardsFirst(...Array.from({ length: 30 }, () => CONFIRM));
  const upSell = await takeUpSell(fixture, first);
  expect(upSell).toMatchObject({ status: 'PENDING', actionUrl: CONFIRM.url });
  await expect(chargeWorkflowOf(fixture, upSell).result()).rejects.toThrow();
  expect(fixture.provider.keptCents(upSell.providerReference)).toBe(0);
  expect(fixture.provider.keptCents(first.providerReference)).toBe(10_000);
  const { status, charges } = await eventually(() => checkoutRecordOf(fixture, checkout));
  expect({ status, charges }).toEqual({ status: 'PAID', charges: ['CARD FAILED', 'CARD PAID'].reverse() });
});
