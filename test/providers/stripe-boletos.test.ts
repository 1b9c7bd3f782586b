import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addDays, civilDate, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId, RefundId } from '../../src/domain/ids.ts';
import { chargeIdOfRequest, mintId } from '../../src/ids.ts';
import type { IssueBoleto } from '../../src/providers/ports/boletos.ts';
import { readStripeAccount } from '../../src/providers/stripe/account.ts';
import { createStripeProvider, type StripeProvider } from '../../src/providers/stripe/stripe-provider.ts';
import { barCodeOfVoucher } from '../../src/providers/stripe/wire.ts';
import { type StripeFault, StripeStandIn } from '../support/outside/stripe-stand-in.ts';

const ADDRESS = { street: 'Avenida Paulista 1000', city: 'São Paulo', state: 'SP', zipCode: '01310100' };
const PAYER = { name: 'Ana Souza', taxId: '52998224725', email: 'ana@example.com', address: ADDRESS };
/** A Thursday in São Paulo. */
const NOON = new Date('2026-11-26T15:00:00.000Z');

let stripe: StripeStandIn;
let provider: StripeProvider;
beforeAll(async () => {
  stripe = new StripeStandIn();
  await stripe.open();
  const account = readStripeAccount({
    id: 'pacc_stripe',
    profile: 'stripe',
    settings: { stripeMode: 'test', publishableKey: 'pk_test_123', apiUrl: stripe.url },
    secrets: { secretKey: 'rk_test_123' },
  });
  provider = createStripeProvider(account, { timeoutMs: 500 });
});
afterAll(async () => {
  await provider.disconnect();
  await stripe.close();
});
beforeEach(() => {
  stripe.fault = () => null;
  stripe.isSearchBlind = false;
});

function boletoOf(given: Partial<IssueBoleto> = {}): IssueBoleto {
  const now = new Date();
  return {
    chargeId: mintId<ChargeId>('boletoCharge', now),
    ...{ amountCents: 25_000, description: null, payer: PAYER, now },
    beneficiary: { name: 'Loja Azul', city: 'SAO PAULO', taxId: '11222333000181' },
    ...{ dueDate: addDays(saoPauloDateOf(now), 5), interest: null, fine: null, daysPayableAfterDueDate: 0 },
    ...given,
  };
}
const intentsOf = (reference: string) =>
  [...stripe.intents.values()].filter(
    ({ metadata }) => (metadata as Record<string, unknown>).recebe_reference === reference,
  );
const idOf = (reference: string) => String(intentsOf(reference)[0]?.id);
const issue = (request: IssueBoleto) => provider.boletos.issue(request);
const issued = async (given: Partial<IssueBoleto> = {}) => {
  const request = boletoOf(given);
  const answer = await issue(request);
  if (answer.outcome !== 'ISSUED') throw new Error(`the boleto was ${answer.outcome}`);
  return { request, boleto: answer.issued, reference: answer.issued.reference };
};

describe('issuing a boleto at Stripe', () => {
  it('sends the payer with address, and derives the key from the charge', async () => {
    stripe.seen.length = 0;
    const { request, boleto } = await issued({ now: NOON, dueDate: civilDate('2026-11-30') });
    const sent = stripe.seen.find(({ method }) => method === 'POST');
    expect(Object.fromEntries(sent?.fields ?? [])).toEqual({
      ...{ amount: '25000', currency: 'brl', confirm: 'true', 'allowed_payment_method_types[0]': 'boleto' },
      'payment_method_data[type]': 'boleto',
      'payment_method_data[boleto][tax_id]': '52998224725',
      'payment_method_data[billing_details][name]': 'Ana Souza',
      'payment_method_data[billing_details][email]': 'ana@example.com',
      'payment_method_data[billing_details][address][line1]': 'Avenida Paulista 1000',
      'payment_method_data[billing_details][address][city]': 'São Paulo',
      'payment_method_data[billing_details][address][state]': 'SP',
      'payment_method_data[billing_details][address][postal_code]': '01310100',
      'payment_method_data[billing_details][address][country]': 'BR',
      'payment_method_options[boleto][expires_after_days]': '4',
      'metadata[recebe_reference]': request.chargeId,
    });
    expect(sent?.headers['idempotency-key']).toBe(`recebe-charge-${request.chargeId}`);
    const id = idOf(request.chargeId);
    expect(boleto).toEqual({
      reference: request.chargeId,
      barCode: expect.stringMatching(/^\d{44}$/),
      voucherUrl: `https://payments.stripe.com/boleto/voucher/${id}`,
      voucherPdfUrl: `https://payments.stripe.com/boleto/voucher/${id}/pdf`,
      // Two business days after Monday, to the end of the day in São Paulo.
      reportedBy: new Date('2026-12-03T03:00:00.000Z'),
    });
  });

  it('lets a boleto that is due on a Saturday live until Monday', async () => {
    stripe.seen.length = 0;
    await issued({ now: NOON, dueDate: civilDate('2026-11-28') });
    const sent = stripe.seen.find(({ method }) => method === 'POST');
    expect(sent?.fields.get('payment_method_options[boleto][expires_after_days]')).toBe('4');
  });

  it('issues the latest due date although carnival follows it', async () => {
    const now = new Date('2026-12-12T15:00:00.000Z');
    const dueDate = addDays(saoPauloDateOf(now), 56);
    expect(dueDate).toBe('2027-02-06');
    await issued({ now, dueDate });
    const [sent] = stripe.seen.filter(({ method }) => method === 'POST').slice(-1);
    expect(sent?.fields.get('payment_method_options[boleto][expires_after_days]')).toBe('60');
  });

  it('answers a repeated request with the same boleto', async () => {
    const { request, boleto } = await issued();
    expect(await issue(request)).toEqual({ outcome: 'ISSUED', issued: boleto });
    const tomorrow = { ...request, now: new Date(request.now.getTime() + 24 * 60 * 60_000) };
    expect(await issue(tomorrow)).toMatchObject({ outcome: 'ISSUED', issued: { barCode: boleto.barCode } });
    expect(intentsOf(request.chargeId)).toHaveLength(1);
  });

  it('issues one boleto for requests that arrive at once, also for a derived id', async () => {
    const chargeId = chargeIdOfRequest('boletoCharge', `at-once-${Date.now()}`);
    const request = boletoOf({ chargeId });
    // On a busy machine some may time out, which says nothing about their effect.
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => issue(request)));
    const known = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(new Set([...known, await issue(request)].map(({ outcome }) => outcome))).toEqual(
      new Set(['ISSUED']),
    );
    expect(intentsOf(chargeId)).toHaveLength(1);
  });

  it.each([
    ['an amount below the minimum', { amountCents: 499 }, 'amount_too_small'],
    ['a payer without address', { payer: { ...PAYER, address: null } }, 'address'],
    ['a tax id that Stripe does not accept', { payer: { ...PAYER, taxId: '00000000191' } }, 'tax_id_invalid'],
  ])('refuses %s with the reason', async (_, wrong, reason) => {
    const request = boletoOf(wrong);
    const refused = { outcome: 'REFUSED', reason: expect.stringContaining(reason) };
    expect(await issue(request)).toMatchObject(refused);
    expect(await issue(request)).toMatchObject(refused);
  });

  it('replaces a boleto that expired, was cancelled, or was paid before its row', async () => {
    const [expired, cancelled, paid] = [await issued(), await issued(), await issued()];
    stripe.expireBoleto(idOf(expired.reference), 'EXPIRED');
    stripe.expireBoleto(idOf(cancelled.reference), 'EXPIRED');
    expect(await provider.charges.closeUnstored(cancelled.request.chargeId)).toEqual({ outcome: 'CLOSED' });
    stripe.payBoleto(idOf(paid.reference));
    for (const { request } of [expired, cancelled, paid])
      expect(await issue(request)).toMatchObject({ outcome: 'DEAD' });
  });

  it('reads no number that a payer could not pay', () => {
    const valid = '23793.38128 60007.827136 96000.063305 4 94190000050000';
    const testNumber = '01010101010101010101010101010101010101010101010';
    expect(() => barCodeOfVoucher(valid.replace('2379', '2378'), true)).toThrow('cannot be read');
    expect(() => barCodeOfVoucher(testNumber, true)).toThrow('cannot be read');
    expect(() => barCodeOfVoucher('123', false)).toThrow('cannot be read');
    expect(barCodeOfVoucher(testNumber, false)).toHaveLength(44);
    expect(barCodeOfVoucher('00190.50095 40144.816069 06809.350314 3 37370000000100', true)).toBe(
      '00193373700000001000500940144816060680935031',
    );
  });
});

describe('a boleto that meets faults', () => {
  const FAULTS: readonly StripeFault[] = [
    { kind: 'CUT_AFTER' },
    { kind: 'CUT_BEFORE' },
    { kind: 'DELAY', delayMs: 700 },
    { kind: 'STATUS', status: 429 },
    { kind: 'STATUS', status: 503 },
  ];

  it.each(FAULTS)('issues one intent although its creation meets $kind $status', async (fault) => {
    for (let round = 0; round < (fault.kind === 'DELAY' ? 3 : 20); round++) {
      const request = boletoOf();
      let faults = 2;
      stripe.fault = ({ method }) => (method === 'POST' && faults-- > 0 ? fault : null);
      await expect(issue(request)).rejects.toMatchObject({ name: 'ProviderError' });
      await expect(issue(request)).rejects.toMatchObject({ name: 'ProviderError' });
      expect(await issue(request)).toMatchObject({ outcome: 'ISSUED' });
      expect(intentsOf(request.chargeId)).toHaveLength(1);
    }
  });

  it('finds it in the list of recent intents while the search lags', async () => {
    stripe.isSearchBlind = true;
    const chargeId = chargeIdOfRequest('boletoCharge', `lags-${Date.now()}`);
    const request = boletoOf({ chargeId });
    stripe.fault = ({ method }) => (method === 'POST' ? { kind: 'CUT_AFTER' } : null);
    await expect(issue(request)).rejects.toThrow('was not answered');
    stripe.fault = () => null;
    stripe.seen.length = 0;
    expect(await issue(request)).toMatchObject({ outcome: 'ISSUED' });
    expect(stripe.seen.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(intentsOf(chargeId)).toHaveLength(1);
  });

  it('replaces it if Stripe stores its own failure under the key', async () => {
    const request = boletoOf();
    stripe.fault = ({ method }) =>
      method === 'POST' ? { kind: 'STATUS', status: 500, isStored: true } : null;
    await expect(issue(request)).rejects.toMatchObject({ kind: 'RETRY' });
    stripe.fault = () => null;
    expect(await issue(request)).toMatchObject({ outcome: 'DEAD' });
    expect(intentsOf(request.chargeId)).toEqual([]);
  });

  it('refuses a delayed request after its order was closed', async () => {
    const request = boletoOf();
    expect(await provider.charges.closeUnstored(request.chargeId)).toEqual({ outcome: 'CLOSED' });
    expect(await issue(request)).toMatchObject({ outcome: 'DEAD' });
    expect(intentsOf(request.chargeId)).toHaveLength(1);
  });
});

describe('the end of a boleto at Stripe', () => {
  it('reports a payment with its payer, by charge, payment and list', async () => {
    const { reference } = await issued();
    const before = new Date(Date.now() - 1_000);
    stripe.payBoleto(idOf(reference));
    const payment = {
      ...{ providerPaymentId: idOf(reference), reference, amountCents: 25_000, refunds: [] },
      payer: { name: 'ANA SOUZA', taxId: '52998224725' },
    };
    expect(await provider.charges.findPayment(idOf(reference))).toMatchObject(payment);
    expect(await provider.charges.findByReference(reference)).toMatchObject({
      status: 'PAID',
      payments: [payment],
    });
    const window = { from: new Date(before.getTime() - 1_000), until: new Date(Date.now() + 2_000) };
    const { items } = await provider.listing.payments(window, null);
    expect(items).toContainEqual(expect.objectContaining(payment));
    expect(await provider.charges.close(reference)).toMatchObject({ outcome: 'PAID', payment });
  });

  it('ends a boleto that cannot be cancelled yet, and still reports its payment', async () => {
    const { reference } = await issued();
    expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
    expect(intentsOf(reference)[0]?.status).toBe('requires_action');
    stripe.payBoleto(idOf(reference));
    expect(await provider.charges.findByReference(reference)).toMatchObject({ status: 'PAID' });
  });

  it('waits for the decision of Stripe once its last day is over', async () => {
    const { reference } = await issued();
    stripe.expireBoleto(idOf(reference), 'UNDECIDED');
    expect(await provider.charges.close(reference)).toMatchObject({ outcome: 'PENDING' });
    stripe.payBoleto(idOf(reference));
    expect(await provider.charges.close(reference)).toMatchObject({ outcome: 'PAID' });
  });

  it('cancels an expired boleto, so that its intent can take no other payment', async () => {
    const { reference } = await issued();
    stripe.expireBoleto(idOf(reference), 'EXPIRED');
    expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
    expect(intentsOf(reference)[0]?.status).toBe('canceled');
  });

  it('refuses to end it while answers are lost', async () => {
    const { reference } = await issued();
    stripe.fault = ({ method }) => (method === 'POST' ? { kind: 'STATUS', status: 503 } : null);
    await expect(provider.charges.close(reference)).rejects.toMatchObject({ kind: 'RETRY' });
  });

  it('refuses every refund of its payment for good', async () => {
    const { reference } = await issued();
    stripe.payBoleto(idOf(reference));
    const refund = (amountCents: number) =>
      provider.charges.refund({
        refundReference: mintId<RefundId>('refund', new Date()),
        providerPaymentId: idOf(reference),
        amountCents,
      });
    for (const amountCents of [25_000, 1_000])
      expect(await refund(amountCents)).toEqual({
        outcome: 'REFUSED',
        reason: 'Stripe refuses the refund: charge_not_refundable',
      });
  });
});
