import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, AsaasBox } from '../../scripts/psp/asaas/asaas-box.ts';
import type { Fault } from '../../scripts/psp/box-faults.ts';
import type { ChargeId, RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readAsaasAccount } from '../../src/providers/asaas/account.ts';
import { type AsaasProvider, createAsaasProvider } from '../../src/providers/asaas/asaas-provider.ts';
import type { ChargeCard } from '../../src/providers/ports/cards.ts';
import type { ProviderPayment } from '../../src/providers/ports/payment.ts';
import { memoryClaims } from '../support/outside/memory-claims.ts';

let box: AsaasBox;
let provider: AsaasProvider;
beforeAll(async () => {
  box = await new AsaasBox().open();
  const account = readAsaasAccount({
    id: 'acct_1',
    profile: 'asaas',
    settings: { asaasEnvironment: 'sandbox', apiUrl: box.url, contactEmail: 'loja@example.com' },
    secrets: {
      apiKey: API_KEY,
      webhookToken: 'a-token-that-only-asaas-and-this-account-know',
      notificationSecret: 's',
    },
  });
  provider = createAsaasProvider(account, memoryClaims(), { timeoutMs: 2_000, claimMs: 2_000, settleMs: 0 });
});
afterAll(async () => {
  await provider.disconnect();
  await box.close();
});

function asked(given: Partial<ChargeCard> = {}): ChargeCard {
  const chargeId = mintId<ChargeId>('cardCharge', new Date());
  return {
    chargeId,
    reference: chargeId,
    token: null,
    amountCents: 10_000,
    installmentsCount: 3,
    payer: { name: 'Maria Souza', taxId: '52998224725' },
    returnUrl: 'https://loja.example/pay/bill_1/card_1/confirmed',
    isOffSession: false,
    keepsCard: false,
    now: new Date(),
    ...given,
  };
}
const charge = (request: ChargeCard) => provider.cards.charge(request);
const ordersOf = ({ reference }: ChargeCard) => box.books.live(reference.slice(-26));
const firstOf = (request: ChargeCard) => ordersOf(request)[0] ?? '';

/** Repeats the request as the service does, until it has an answer. */
async function opened(request: ChargeCard, tries = 5): Promise<string> {
  try {
    const answer = await charge(request);
    if (answer.outcome === 'REQUIRES_ACTION') return answer.url;
    throw new Error(answer.outcome);
  } catch (error) {
    if (tries === 0) throw error;
    return opened(request, tries - 1);
  }
}

async function paid(given: Partial<ChargeCard> = {}): Promise<ProviderPayment> {
  const request = asked(given);
  await opened(request);
  expect(box.books.payByCard(firstOf(request))).toBe(true);
  const answer = await charge(request);
  if (answer.outcome !== 'APPROVED') throw new Error(answer.outcome);
  return answer.payment;
}

describe("a card on Asaas' page", () => {
  it('orders installments with the total, and sends the payer back to the payment', async () => {
    const request = asked();
    expect(await opened(request)).toMatch(/^http:.*\/i\//);
    expect(box.bodiesOf('POST /v3/payments').at(-1)).toEqual({
      customer: expect.stringMatching(/^cus_/),
      billingType: 'CREDIT_CARD',
      installmentCount: 3,
      totalValue: 100,
      dueDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      externalReference: request.chargeId.slice(-26),
      callback: { successUrl: request.returnUrl },
    });
  });

  it('reports one payment of the exact amount, however many installments', async () => {
    for (const amountCents of [1_000, 9_999, 10_000, 12_345]) {
      for (let installmentsCount = 1; installmentsCount <= 12; installmentsCount += 1) {
        const payment = await paid({ amountCents, installmentsCount });
        expect(payment).toMatchObject({ amountCents, refunds: [], disputes: [] });
        expect(await provider.charges.findPayment(payment.providerPaymentId)).toEqual(payment);
      }
    }
  });

  it('lets the payer try another card after a refused one', async () => {
    const request = asked();
    await opened(request);
    box.books.payByCard(firstOf(request), { isRefused: true });
    expect(await charge(request)).toMatchObject({ outcome: 'REQUIRES_ACTION' });
    box.books.payByCard(firstOf(request));
    expect(await charge(request)).toMatchObject({ outcome: 'APPROVED' });
  });

  it('waits for the analysis of a risk, and removes nothing meanwhile', async () => {
    const request = asked();
    await opened(request);
    box.books.payByCard(firstOf(request), { isAnalyzed: true });
    expect(await charge(request)).toEqual({ outcome: 'PENDING', pollAfterMs: 600_000 });
    expect(await provider.charges.close(request.reference)).toEqual({
      outcome: 'PENDING',
      pollAfterMs: 600_000,
    });
    box.books.reprove(firstOf(request));
    expect(await charge(request)).toMatchObject({ outcome: 'REQUIRES_ACTION' });
  });

  it('orders without the way back if Asaas refuses its address', async () => {
    box.books.site = 'loja.example';
    const request = asked({ returnUrl: 'http://localhost:3000/pay/1' });
    await opened(request);
    box.books.site = null;
    expect(ordersOf(request)).toHaveLength(3);
    expect(box.bodiesOf('POST /v3/payments').at(-1)).not.toHaveProperty('callback');
  });

  it('declines a payer without a tax id before anything is ordered', async () => {
    const request = asked({ payer: { name: 'Maria Souza', taxId: null } });
    expect(await charge(request)).toMatchObject({ outcome: 'DECLINED' });
    expect(ordersOf(request)).toEqual([]);
  });

  it('charges no token, and nobody who is not there', async () => {
    await expect(charge(asked({ token: 'tok_1' }))).rejects.toMatchObject({ kind: 'UNSUPPORTED' });
    await expect(charge(asked({ isOffSession: true }))).rejects.toMatchObject({ kind: 'UNSUPPORTED' });
  });

  const faults: readonly Fault[] = [
    { kind: 'DROP_AFTER_EFFECT' },
    { kind: 'DROP_BEFORE_EFFECT' },
    { kind: 'STATUS', status: 429, retryAfterSeconds: 1 },
    { kind: 'STATUS', status: 503 },
  ];
  it.each(faults)('leaves one order per charge after 100 times $kind', async (fault) => {
    for (let nth = 0; nth < 100; nth += 1) {
      const request = asked({ installmentsCount: 1 + (nth % 3) });
      box.breakNext('POST /v3/payments', fault);
      await opened(request);
      expect(ordersOf(request)).toHaveLength(request.installmentsCount);
      expect(await provider.charges.close(request.reference)).toEqual({ outcome: 'CLOSED' });
      expect(ordersOf(request)).toEqual([]);
    }
  });

  it('reports money that came for a closed charge', async () => {
    const request = asked();
    await opened(request);
    const id = firstOf(request);
    await provider.charges.close(request.reference);
    box.books.payByCard(id, { isForced: true });
    expect(await provider.charges.findByReference(request.reference)).toMatchObject({
      status: 'PAID',
      payments: [{ reference: request.reference, amountCents: 10_000 }],
    });
  });
});

describe('a paid card at Asaas', () => {
  const refund = (payment: ProviderPayment, amountCents: number, refundReference = newRefund()) =>
    provider.charges.refund({ refundReference, providerPaymentId: payment.providerPaymentId, amountCents });
  const newRefund = () => mintId<RefundId>('refund', new Date());
  const valuesAt = (payment: ProviderPayment) =>
    box.books
      .partsOf(payment.providerPaymentId)
      .map(({ refunds }) => refunds.reduce((sum, { value }) => sum + Math.round(value * 100), 0));

  it('refunds parts from the last installment on, and the rest', async () => {
    const payment = await paid();
    const first = newRefund();
    expect(await refund(payment, 4_000, first)).toEqual({ outcome: 'RETURNED' });
    expect(valuesAt(payment)).toEqual([0, 666, 3_334]);
    expect(await refund(payment, 4_000, first)).toEqual({ outcome: 'RETURNED' });
    expect(await refund(payment, 6_001)).toMatchObject({ outcome: 'REFUSED' });
    expect(await refund(payment, 6_000)).toEqual({ outcome: 'RETURNED' });
    expect(valuesAt(payment)).toEqual([3_333, 3_333, 3_334]);
    const { refunds = [] } = (await provider.charges.findPayment(payment.providerPaymentId)) ?? {};
    expect(refunds.map(({ amountCents, status }) => [amountCents, status])).toEqual(
      expect.arrayContaining([
        [4_000, 'RETURNED'],
        [6_000, 'RETURNED'],
      ]),
    );
  });

  it('refunds a part once although 50 answers are lost', async () => {
    const payment = await paid({ amountCents: 100_000, installmentsCount: 2 });
    const last = box.books.partsOf(payment.providerPaymentId)[1]?.id;
    for (let nth = 1; nth <= 50; nth += 1) {
      const reference = newRefund();
      box.breakNext(`POST /v3/payments/${last}/refund`, { kind: 'DROP_AFTER_EFFECT' });
      expect(await refund(payment, 100, reference)).toEqual({ outcome: 'RETURNED' });
      expect(await refund(payment, 100, reference)).toEqual({ outcome: 'RETURNED' });
      expect(valuesAt(payment)).toEqual([0, nth * 100]);
    }
  });

  it('orders a part again only if Asaas says that nothing was made', async () => {
    const payment = await paid({ installmentsCount: 1 });
    const on = `POST /v3/payments/${payment.providerPaymentId}/refund`;
    const [known, unknown] = [newRefund(), newRefund()];
    box.breakNext(on, { kind: 'STATUS', status: 429 });
    await expect(refund(payment, 100, known)).rejects.toMatchObject({ kind: 'RATE_LIMITED' });
    expect(await refund(payment, 100, known)).toEqual({ outcome: 'RETURNED' });
    box.breakNext(on, { kind: 'DROP_BEFORE_EFFECT' });
    await expect(refund(payment, 100, unknown)).rejects.toMatchObject({ kind: 'RETRY' });
    expect(await refund(payment, 100, unknown)).toEqual({ outcome: 'PENDING', pollAfterMs: 10_000 });
    expect(valuesAt(payment)).toEqual([100]);
  });

  it('reports a chargeback from its request to its decision', async () => {
    const payment = await paid();
    const { providerPaymentId: id, reference } = payment;
    const dispute = {
      providerDisputeId: id,
      providerPaymentId: id,
      reference,
      reason: 'COMMERCIAL_DISAGREEMENT',
    };
    const states = [
      ['REQUESTED', { status: 'OPEN', stage: 'NEEDS_RESPONSE' }],
      ['IN_DISPUTE', { status: 'OPEN', stage: 'UNDER_REVIEW' }],
      ['DISPUTE_LOST', { status: 'LOST', stage: null }],
      ['REVERSED', { status: 'WON', stage: null }],
    ] as const;
    for (const [status, state] of states) {
      expect(box.books.chargeBack(id, status)).toBe(true);
      expect(await provider.disputes.find(id)).toMatchObject({ ...dispute, ...state });
      expect((await provider.charges.findPayment(id))?.disputes).toMatchObject([{ ...dispute, ...state }]);
    }
  });

  it('takes the status of a payment for its chargeback if Asaas shows none', async () => {
    const { providerPaymentId: id } = await paid({ installmentsCount: 1 });
    Object.assign(box.books.payments.get(id) ?? {}, { status: 'CHARGEBACK_REQUESTED' });
    // The key may also lack the permission to read chargebacks.
    box.breakNext(`GET /v3/payments/${id}/chargeback`, { kind: 'STATUS', status: 403 });
    expect(await provider.disputes.find(id)).toMatchObject({ status: 'OPEN', stage: 'NEEDS_RESPONSE' });
    expect(await provider.disputes.find(id)).toMatchObject({ status: 'OPEN', stage: 'NEEDS_RESPONSE' });
  });

  it('waits while the list lacks installments, whose sum would be too small', async () => {
    const payment = await paid();
    const fault = { kind: 'LISTINGS_LAG', seconds: 60 } as const;
    box.faults.order({ on: 'GET /v3/payments', fault, times: 1 });
    await expect(provider.charges.findPayment(payment.providerPaymentId)).rejects.toMatchObject({
      kind: 'RETRY',
    });
    expect(await provider.charges.findPayment(payment.providerPaymentId)).toEqual(payment);
  });

  it('lists a payment once on its day, though its money comes a month later', async () => {
    const payment = await paid();
    const window = { from: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) };
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof provider.listing.payments>> = await provider.listing.payments(
        window,
        cursor,
      );
      ids.push(...page.items.map(({ providerPaymentId }) => providerPaymentId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(ids.filter((id) => id === payment.providerPaymentId)).toHaveLength(1);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('points to card payments by the id of all installments and the id of the charge', () => {
  const pointers = (event: string, payment: object) =>
    provider.notifications.translate(Buffer.from(JSON.stringify({ event, payment })));
  const payment = {
    id: 'pay_2',
    billingType: 'CREDIT_CARD',
    installment: 'inst-1',
    externalReference: '01KAK0Y3PX7V4T6R2W9ZB5XHMD',
  };
  const reference = 'card_01KAK0Y3PX7V4T6R2W9ZB5XHMD';
  expect(pointers('PAYMENT_CONFIRMED', payment)).toEqual([
    { kind: 'PAYMENT', providerPaymentId: 'inst-1', reference },
  ]);
  expect(pointers('PAYMENT_CHARGEBACK_REQUESTED', payment)).toEqual([
    { kind: 'DISPUTE', providerDisputeId: 'inst-1', reference },
  ]);
  expect(pointers('PAYMENT_CREDIT_CARD_CAPTURE_REFUSED', payment)).toEqual([{ kind: 'CHARGE', reference }]);
});
