import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { civilDate } from '../../src/domain/civil-date.ts';
import type { ChargeId, RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readAsaasAccount } from '../../src/providers/asaas/account.ts';
import { type AsaasProvider, createAsaasProvider } from '../../src/providers/asaas/asaas-provider.ts';
import { ASAAS } from '../../src/providers/asaas/kind.ts';
import type { IssuePix } from '../../src/providers/ports/pix.ts';
import { API_KEY, type AsaasFault, AsaasStandIn } from '../support/outside/asaas-stand-in.ts';
import { conforms } from './conformance.ts';

const WEBHOOK_TOKEN = 'a-token-that-only-asaas-and-this-account-know';
const PATH_SECRET = 'the-last-part-of-the-address';

let asaas: AsaasStandIn;
let provider: AsaasProvider;
beforeAll(async () => {
  asaas = await new AsaasStandIn().open();
  provider = providerAt(asaas);
});
afterAll(async () => {
  await provider.disconnect();
  await asaas.close();
});

function accountAt(at: Pick<AsaasStandIn, 'url'>, settings: Record<string, string> = {}) {
  return {
    id: 'acct_1',
    profile: 'asaas',
    settings: { asaasEnvironment: 'sandbox', apiUrl: at.url, contactEmail: 'loja@example.com', ...settings },
    secrets: { apiKey: API_KEY, webhookToken: WEBHOOK_TOKEN, notificationSecret: PATH_SECRET },
  };
}

function providerAt(at: AsaasStandIn): AsaasProvider {
  return createAsaasProvider(readAsaasAccount(accountAt(at)), { timeoutMs: 2_000 });
}

conforms('asaas', ASAAS.describe('asaas'), async () => {
  const at = await new AsaasStandIn().open();
  const adapter = providerAt(at);
  return {
    provider: adapter,
    pay: async (reference) => at.pay(reference),
    close: async () => {
      await adapter.disconnect();
      await at.close();
    },
  };
});

const order = (chargeId = mintId<ChargeId>('pixCharge', new Date())): IssuePix => ({
  chargeId,
  amountCents: 2_590,
  description: 'Order 1042',
  beneficiary: { name: 'Loja da Ana', city: 'São Paulo', taxId: '11222333000181' },
  payer: { name: 'Maria Souza', taxId: '52998224725' },
  expiresInSeconds: 3_600,
  now: new Date(),
});

/** Repeats the request as the service does, until it has an answer. */
async function issued(request: IssuePix, tries = 5): Promise<string> {
  try {
    const answer = await provider.pix.issue(request);
    if (answer.outcome === 'ISSUED') return answer.issued.reference;
    throw new Error(answer.outcome);
  } catch (error) {
    if (tries === 0) throw error;
    return issued(request, tries - 1);
  }
}

describe('Asaas that fails', () => {
  const faults: readonly AsaasFault[] = ['DROP_AFTER_EFFECT', 'DROP_BEFORE', 'TOO_MANY', 'UNAVAILABLE'];
  it.each(faults)('leaves one live payment per charge after 100 times %s', async (fault) => {
    for (let nth = 0; nth < 100; nth += 1) {
      const request = order();
      asaas.order('POST /v3/payments', fault);
      const reference = await issued(request);
      expect(asaas.live(request.chargeId.slice(-26))).toEqual([reference]);
      expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
    }
  });

  it('removes the second payment of a lagging list when the charge ends, 100 times', async () => {
    for (let nth = 0; nth < 100; nth += 1) {
      const request = order();
      asaas.order('POST /v3/payments', 'DROP_AFTER_EFFECT');
      await expect(provider.pix.issue(request)).rejects.toMatchObject({ kind: 'RETRY' });
      asaas.order('GET /v3/payments', 'LAG');
      const reference = await issued(request);
      expect(asaas.live(request.chargeId.slice(-26))).toHaveLength(2);
      expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
      expect(asaas.live(request.chargeId.slice(-26))).toEqual([]);
    }
  });

  it('keeps one of two payments when the request is repeated', async () => {
    const request = order();
    asaas.order('POST /v3/payments', 'DROP_AFTER_EFFECT');
    await expect(provider.pix.issue(request)).rejects.toMatchObject({ kind: 'RETRY' });
    asaas.order('GET /v3/payments', 'LAG');
    await issued(request);
    const reference = await issued(request);
    expect(asaas.live(request.chargeId.slice(-26))).toEqual([reference]);
  });

  it('refunds once although the answers of 100 refunds are lost', async () => {
    for (let nth = 0; nth < 100; nth += 1) {
      const id = await issued(order());
      asaas.pay(id);
      asaas.order(`POST /v3/payments/${id}/refund`, 'DROP_AFTER_EFFECT');
      const refund = {
        refundReference: mintId<RefundId>('refund', new Date()),
        providerPaymentId: id,
        amountCents: 2_590,
      };
      expect(await provider.charges.refund(refund)).toEqual({ outcome: 'RETURNED' });
      expect(asaas.payments.get(id)?.refunds).toHaveLength(1);
    }
  });

  it.each(faults)('closes or reports the payment after 100 times %s on removal', async (fault) => {
    for (let nth = 0; nth < 100; nth += 1) {
      const id = await issued(order());
      const isPaid = nth % 2 === 0 && asaas.pay(id);
      asaas.order(`DELETE /v3/payments/${id}`, fault);
      const answer = await provider.charges.close(id).catch(() => provider.charges.close(id));
      expect(answer.outcome).toBe(isPaid ? 'PAID' : 'CLOSED');
    }
  });
});

describe('a charge at Asaas', () => {
  it('refuses a payer without a tax id before anything is ordered', async () => {
    const before = asaas.ordered.length;
    const answer = await provider.pix.issue({ ...order(), payer: { name: 'Maria', taxId: null } });
    expect(answer).toMatchObject({ outcome: 'REFUSED', reason: expect.stringContaining('customer.taxId') });
    expect(asaas.ordered).toHaveLength(before);
  });

  it('orders a boleto with late terms in percent and the last day to pay', async () => {
    const chargeId = mintId<ChargeId>('boletoCharge', new Date());
    const { expiresInSeconds: _, ...terms } = order(chargeId);
    await provider.boletos.issue({
      ...terms,
      dueDate: civilDate('2027-12-11'),
      interest: { value: 100 },
      fine: { value: 250, type: 'PERCENTAGE' },
      daysPayableAfterDueDate: 60,
    });
    expect(asaas.ordered.at(-1)).toEqual({
      customer: expect.stringMatching(/^cus_/),
      billingType: 'BOLETO',
      value: 25.9,
      dueDate: '2027-12-11',
      description: 'Order 1042',
      externalReference: chargeId.slice(-26),
      daysAfterDueDateToRegistrationCancellation: 62,
      interest: { value: 1 },
      fine: { value: 2.5, type: 'PERCENTAGE' },
    });
  });

  it("reports a late payment with the provider's amount and its parts", async () => {
    const id = await issued(order());
    asaas.pay(id, { reais: 26.9, atBank: true });
    expect(await provider.charges.findPayment(id)).toMatchObject({
      amountCents: 2_690,
      endToEndIdentifier: null,
      components: { originalCents: 2_590, interestCents: 100, fineCents: 0, discountCents: 0 },
    });
  });

  it('reports money that came for a removed charge', async () => {
    const id = await issued(order());
    asaas.pay(id);
    Object.assign(asaas.payments.get(id) ?? {}, { deleted: true });
    expect(await provider.charges.findByReference(id)).toMatchObject({
      status: 'PAID',
      payments: [{ amountCents: 2_590 }],
    });
  });

  it('sees a refund made in the panel, and refuses to refund a part', async () => {
    const id = await issued(order());
    asaas.pay(id);
    const part = {
      refundReference: mintId<RefundId>('refund', new Date()),
      providerPaymentId: id,
      amountCents: 90,
    };
    expect(await provider.charges.refund(part)).toMatchObject({ outcome: 'REFUSED' });
    const made = { dateCreated: '2026-11-20 10:00:00', status: 'DONE', value: 5.9, description: null };
    asaas.payments.get(id)?.refunds.push(made);
    const payment = await provider.charges.findPayment(id);
    expect(payment?.refunds).toEqual([
      { reference: '2026-11-20 10:00:00/590', amountCents: 590, status: 'RETURNED', kind: 'ORDINARY' },
    ]);
    expect(await provider.charges.refund({ ...part, amountCents: 2_000 })).toEqual({ outcome: 'RETURNED' });
  });
});

describe('notifications of Asaas', () => {
  const received = (token: string, pathSecret = PATH_SECRET) => ({
    rawBody: Buffer.from('{}'),
    headers: { 'asaas-access-token': token },
    clientAddress: '203.0.113.1',
    peerCertificate: null,
    pathSecret,
  });

  it('registers one webhook, and resumes it after Asaas has stopped it', async () => {
    await provider.notifications.register('https://pay.example.com/n');
    const [hook] = asaas.webhooks.values();
    Object.assign(hook ?? {}, { interrupted: true });
    await provider.notifications.register('https://pay.example.com/n');
    expect([...asaas.webhooks.values()]).toMatchObject([
      { url: 'https://pay.example.com/n', interrupted: false, enabled: true, authToken: WEBHOOK_TOKEN },
    ]);
  });

  it('makes a token for an account that has none, and returns it to be stored', async () => {
    const { webhookToken: _, ...secrets } = accountAt(asaas).secrets;
    const fresh = createAsaasProvider(readAsaasAccount({ ...accountAt(asaas), secrets }));
    const { webhookToken } = await fresh.notifications.register('https://pay.example.com/other');
    expect([...asaas.webhooks.values()].at(-1)).toMatchObject({ authToken: webhookToken });
    expect(fresh.notifications.authenticate(received(String(webhookToken)))).toBe(false);
    await fresh.disconnect();
  });

  it('accepts only its token at its address', () => {
    expect(provider.notifications.authenticate(received(WEBHOOK_TOKEN))).toBe(true);
    expect(provider.notifications.authenticate(received('another'))).toBe(false);
    expect(provider.notifications.authenticate(received(WEBHOOK_TOKEN, 'another'))).toBe(false);
  });

  it('points to payments, and acknowledges every other event', () => {
    const pointers = (said: unknown) => provider.notifications.translate(Buffer.from(JSON.stringify(said)));
    expect(pointers({ event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1' } })).toEqual([
      { kind: 'PAYMENT', providerPaymentId: 'pay_1', reference: 'pay_1' },
    ]);
    expect(pointers({ event: 'PAYMENT_REFUNDED', payment: { id: 'pay_1' } })).toMatchObject([
      { hasRefunds: true },
    ]);
    expect(pointers({ event: 'INVOICE_CREATED', invoice: { id: 'inv_1' } })).toEqual([]);
    expect(() => provider.notifications.translate(Buffer.from('no'))).toThrow('not an event');
  });
});

it.each([
  ['contactEmail', { contactEmail: 'nobody' }],
  ['apiUrl', { asaasEnvironment: 'production' }],
])('refuses an account whose %s is wrong', (setting, settings) => {
  const account = accountAt({ url: 'http://127.0.0.1:1' }, settings);
  expect(() => ASAAS.create(account)).toThrow(expect.objectContaining({ setting }));
});
