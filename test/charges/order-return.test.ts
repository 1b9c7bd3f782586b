import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isReturnedToPayer } from '../../src/charges/acceptance/left-at-provider.ts';
import { orderReturn } from '../../src/charges/acceptance/order-return.ts';
import type { PaymentId } from '../../src/domain/ids.ts';
import { mintId, returnOrderIdOf } from '../../src/ids.ts';
import type { ChargesPort, Refund, RefundAnswer } from '../../src/providers/ports/charges.ts';
import type { ProviderPayment, ProviderRefund } from '../../src/providers/ports/payment.ts';
import { createTestDatabase } from '../support/rows/database.ts';

const PAID_AT = new Date('2026-12-04T14:23:41.377Z');
const REFUSED = { outcome: 'REFUSED', reason: 'A soma das devoluções excede o valor do Pix.' } as const;

let test: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const refund = (given: Partial<ProviderRefund>): ProviderRefund => ({
  reference: 'MED1',
  amountCents: 400,
  status: 'RETURNED',
  kind: 'MED_FRAUD',
  ...given,
});

/** A payment of 10.00. */
const paymentWith = (refunds: readonly ProviderRefund[]): ProviderPayment => ({
  providerPaymentId: 'E1',
  reference: 'txid',
  amountCents: 1_000,
  paidAt: PAID_AT,
  payer: { name: null, taxId: null },
  refunds,
});

/** A bank that gives these answers in turn and shows this payment. */
function bank(shown: ProviderPayment, ...answers: RefundAnswer[]) {
  const orders: Refund[] = [];
  const refundPayment = async (order: Refund) => {
    orders.push(order);
    return answers.shift() ?? ({ outcome: 'RETURNED' } as const);
  };
  const charges = { findPayment: async () => shown, refund: refundPayment } as Partial<ChargesPort>;
  return { orders, provider: { name: 'pacc_1', charges: charges as ChargesPort } };
}

/** A payment that has been returning since the payment was made. */
function returning() {
  const id = mintId<PaymentId>('payment', PAID_AT);
  return { id, provider: 'pacc_1', providerPaymentId: 'E1', createdAt: PAID_AT };
}
const later = (ms: number) => new Date(PAID_AT.getTime() + ms);
const asked = (
  { provider }: ReturnType<typeof bank>,
  payment: ProviderPayment,
  row = returning(),
  now = later(0),
) => orderReturn(test.database.em.fork(), provider, payment, row, now);

describe('the return of a payment that was not accepted', () => {
  it('orders the rest with another id than all of it', async () => {
    const row = returning();
    const payment = paymentWith([refund({})]);
    const there = bank(payment);
    expect(await asked(there, payment, row)).toEqual({ outcome: 'RETURNED' });
    const refundReference = returnOrderIdOf(row.id, payment, 600);
    expect(there.orders).toEqual([
      { refundReference, providerPaymentId: 'E1', amountCents: 600, mayHaveBeenOrdered: false },
    ]);
    expect(refundReference).not.toBe(row.id);
  });

  it('orders nothing while another return is under way', async () => {
    const payment = paymentWith([refund({ status: 'PENDING' })]);
    const there = bank(payment);
    expect(await asked(there, payment)).toMatchObject({ outcome: 'PENDING' });
    expect(there.orders).toEqual([]);
  });

  it('orders the rest after a refusal that a part taken meanwhile explains', async () => {
    const row = returning();
    const taken = paymentWith([refund({})]);
    const there = bank(taken, REFUSED);
    const now = later(3_600_000);
    expect(await asked(there, paymentWith([]), row, now)).toMatchObject({ outcome: 'PENDING' });
    expect(await asked(there, taken, row, now)).toEqual({ outcome: 'RETURNED' });
    expect(there.orders.map(({ amountCents }) => amountCents)).toEqual([1_000, 600]);
  });

  it('asks again for two minutes after a refusal that nothing explains', async () => {
    const row = returning();
    const payment = paymentWith([]);
    const there = bank(payment, REFUSED, REFUSED, REFUSED);
    expect(await asked(there, payment, row, later(1_000))).toMatchObject({ outcome: 'PENDING' });
    expect(await asked(there, payment, row, later(119_000))).toMatchObject({ outcome: 'PENDING' });
    expect(await asked(there, payment, row, later(120_000))).toEqual(REFUSED);
    // Each refusal was definite, so none of these orders may have been given before.
    expect(there.orders.map(({ mayHaveBeenOrdered }) => mayHaveBeenOrdered)).toEqual([false, false, false]);
  });

  it('refuses the return at once if the provider can never return such a payment', async () => {
    const impossible = { ...REFUSED, isImpossible: true } as const;
    const payment = paymentWith([]);
    expect(await asked(bank(payment, impossible), payment)).toEqual(impossible);
    const taken = paymentWith([refund({})]);
    expect(await asked(bank(taken, impossible), payment)).toMatchObject({ outcome: 'PENDING' });
  });

  it('refuses the return at once if the bank shows that it failed', async () => {
    const row = returning();
    const failed = refund({ reference: row.id, amountCents: 1_000, status: 'REFUSED', kind: 'ORDINARY' });
    const there = bank(paymentWith([failed]), REFUSED);
    expect(await asked(there, paymentWith([]), row)).toEqual(REFUSED);
  });

  it('returns without an order once nothing is left', async () => {
    const byBank = refund({ reference: 'D1', amountCents: 600, kind: 'ORDINARY' });
    const payment = paymentWith([refund({}), byBank]);
    const there = bank(payment);
    expect(await asked(there, payment)).toEqual({ outcome: 'RETURNED' });
    expect(there.orders).toEqual([]);
  });
});

describe('a payment that a restored database does not know', () => {
  const ours = { reference: mintId<PaymentId>('payment', PAID_AT), kind: 'ORDINARY' } as const;

  it.each([
    { shown: 'taken in full by MED', refunds: [refund({ amountCents: 1_000 })], isReturned: false },
    { shown: 'returned by our order after MED', refunds: [refund({}), refund(ours)], isReturned: true },
    {
      shown: 'being returned by our order',
      refunds: [refund({ ...ours, status: 'PENDING' })],
      isReturned: true,
    },
    { shown: 'refused to our order', refunds: [refund({ ...ours, status: 'REFUSED' })], isReturned: false },
  ])('returns $isReturned for a payment that is $shown', ({ refunds, isReturned }) => {
    expect(isReturnedToPayer(paymentWith(refunds))).toBe(isReturned);
  });
});
