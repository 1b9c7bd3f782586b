import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resolveById } from '../../src/cli/attention.ts';
import { openAttention } from '../../src/database/attention.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import type { ProviderPayment } from '../../src/providers/ports/payment.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { heldBy } from '../support/rows/books.ts';
import { insertPix } from '../support/rows/charges.ts';

const RUNS = 25;
const CHARGES = 2;

let shared: BareFixture;
beforeAll(async () => {
  shared = await createBareFixture();
});
afterAll(() => shared.close());

/** Steps with `times` run that many times at once. `notify` sends a notification of the payment. */
type Step =
  | { readonly do: 'pay'; readonly charge: number; readonly isEnough: boolean; readonly times: number }
  | { readonly do: 'notify'; readonly payment: number; readonly times: number }
  | { readonly do: 'refuse'; readonly refuses: boolean }
  | { readonly do: 'expire'; readonly charge: number }
  | { readonly do: 'resolve'; readonly times: number };

const charge = fc.nat(CHARGES - 1);
const times = fc.integer({ min: 1, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay'), charge, isEnough: fc.boolean(), times }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('notify'), payment: fc.nat(9), times }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refuse'), refuses: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire'), charge }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resolve'), times }) },
) as fc.Arbitrary<Step>;

/** A payment, its outcome in the model, and whether its provider returned it. */
interface Paid {
  readonly payment: ProviderPayment;
  readonly charge: Charge;
  outcome: 'ACCEPTED' | 'RETURNED' | 'HELD';
  readonly isSentBack: boolean;
}

class Scenario {
  readonly #fixture: BareFixture;
  readonly #charges: readonly Charge[];
  readonly #paid: Paid[] = [];
  #refuses: boolean = false;

  constructor(fixture: BareFixture, charges: readonly Charge[]) {
    this.#fixture = fixture;
    this.#charges = charges;
    fixture.provider.refuseReturns(false);
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'pay':
        return this.#pay(this.#chargeAt(step.charge), step.isEnough, step.times);
      case 'notify': {
        const paid = this.#paid[step.payment % Math.max(1, this.#paid.length)];
        return paid && this.#notify(paid, step.times);
      }
      case 'refuse':
        this.#refuses = step.refuses;
        return this.#fixture.provider.refuseReturns(step.refuses);
      case 'expire':
        await this.#worker().expireCharge({ chargeId: this.#chargeAt(step.charge).id, nowMs: Date.now() });
        return;
      case 'resolve':
        return this.#resolve(step.times);
    }
  }

  /** Rows, books and the provider say what the model says. */
  async check(): Promise<void> {
    const { database, provider, storeId } = this.#fixture;
    const em = database.em.fork();
    const known = await em.find(PaymentEntity, { chargeId: { $in: this.#charges.map(({ id }) => id) } });
    const outcomes = new Map(known.map(({ providerPaymentId, outcome }) => [providerPaymentId, outcome]));
    const expected = this.#paid.map(({ payment, outcome }) => [payment.providerPaymentId, outcome] as const);
    expect(outcomes).toEqual(new Map(expected));
    for (const { payment, isSentBack } of this.#paid) expect(provider.isReturned(payment)).toBe(isSentBack);

    const centsOf = (outcome: Paid['outcome']) =>
      this.#paid.reduce((sum, paid) => sum + (paid.outcome === outcome ? paid.payment.amountCents : 0), 0);
    const { clearingCents = 0, suspenseCents = 0 } = await heldBy(this.#fixture);
    expect(suspenseCents).toBe(centsOf('HELD'));
    expect(clearingCents).toBe(centsOf('HELD') + centsOf('ACCEPTED'));
    expect((await this.#open()).length).toBe(this.#paid.filter(({ outcome }) => outcome === 'HELD').length);
    expect((await verifyLedger(em, storeId)).discrepancies).toEqual([]);
  }

  async #pay(charge: Charge, isEnough: boolean, times: number): Promise<void> {
    const amountCents = isEnough ? charge.amountCents : 1 + this.#paid.length;
    const deposit = { reference: charge.providerReference, amountCents, paidAt: new Date() };
    const payment = this.#fixture.provider.payDespiteClosing(deposit);
    const isAccepted =
      isEnough && !this.#paid.some((one) => one.charge === charge && one.outcome === 'ACCEPTED');
    const turnedDown = this.#refuses ? 'HELD' : 'RETURNED';
    const outcome = isAccepted ? 'ACCEPTED' : turnedDown;
    const paid: Paid = { payment, charge, outcome, isSentBack: outcome === 'RETURNED' };
    this.#paid.push(paid);
    await this.#notify(paid, times);
  }

  async #notify({ charge, payment: { providerPaymentId } }: Paid, times: number): Promise<void> {
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    await Promise.all(Array.from({ length: times }, () => this.#worker().recordPayment(input)));
  }

  async #resolve(times: number): Promise<void> {
    const open = await this.#open();
    const resolve = (id: string) => resolveById(this.#fixture.database.em.fork(), id, new Date());
    await Promise.all(open.flatMap(({ id }) => Array.from({ length: times }, () => resolve(id))));
    for (const paid of this.#paid) if (paid.outcome === 'HELD') paid.outcome = 'RETURNED';
  }

  async #open() {
    const open = await openAttention(this.#fixture.database, 10_000);
    return open.filter(({ storeId }) => storeId === this.#fixture.storeId);
  }

  #worker() {
    return this.#fixture.newWorker({ startSettlement: async () => {} });
  }

  #chargeAt(index: number): Charge {
    const charge = this.#charges[index];
    if (charge === undefined) throw new Error(`no charge ${index}`);
    return charge;
  }
}

it('leaves no discrepancy after refused returns in any order and in parallel', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
    const fixture = await shared.withNewStore();
    const charges = await Promise.all(Array.from({ length: CHARGES }, () => insertPix(fixture)));
    const scenario = new Scenario(fixture, charges);
    for (const one of steps) {
      await scenario.take(one);
      await scenario.check();
    }
  });
  await fc.assert(property, { numRuns: RUNS });
});
