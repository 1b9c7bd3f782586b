import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, AsaasBox } from '../../scripts/psp/asaas/asaas-box.ts';
import type { Fault } from '../../scripts/psp/box-faults.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { addDays, civilDate, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import type { ChargeId, PayoutId, RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readAsaasAccount } from '../../src/providers/asaas/account.ts';
import { type AsaasProvider, createAsaasProvider } from '../../src/providers/asaas/asaas-provider.ts';
import { ASAAS } from '../../src/providers/asaas/kind.ts';
import { brCodeToday } from '../../src/providers/br-code-today.ts';
import type { SendPix } from '../../src/providers/ports/payouts.ts';
import type { IssuePix } from '../../src/providers/ports/pix.ts';
import type { Providers } from '../../src/providers/providers.ts';
import { memoryClaims } from '../support/outside/memory-claims.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { conforms } from './conformance.ts';

const WEBHOOK_TOKEN = 'a-token-that-only-asaas-and-this-account-know';
const PATH_SECRET = 'the-last-part-of-the-address';

let asaas: AsaasBox;
let provider: AsaasProvider;
beforeAll(async () => {
  asaas = await new AsaasBox().open();
  provider = providerAt(asaas);
});
afterAll(async () => {
  await provider.disconnect();
  await asaas.close();
});

function accountAt(at: Pick<AsaasBox, 'url'>, settings: Record<string, string> = {}) {
  return {
    id: 'acct_1',
    profile: 'asaas',
    settings: {
      asaasEnvironment: 'sandbox',
      apiUrl: at.url,
      contactEmail: 'loja@example.com',
      payoutKey: 'loja@banco.example',
      ...settings,
    },
    secrets: { apiKey: API_KEY, webhookToken: WEBHOOK_TOKEN, notificationSecret: PATH_SECRET },
  };
}

/** The pauses of production, short. */
const TIMES = { timeoutMs: 2_000, claimMs: 2_000, settleMs: 0 };

function providerAt(at: AsaasBox, claims = memoryClaims()): AsaasProvider {
  return createAsaasProvider(readAsaasAccount(accountAt(at)), claims, TIMES);
}

conforms('asaas', ASAAS.describe('asaas'), async () => {
  const at = await new AsaasBox().open();
  const adapter = providerAt(at);
  return {
    provider: adapter,
    pay: async (reference) => {
      const [card] = at.books.live(reference.slice(-26));
      return reference.startsWith('card_') ? at.books.payByCard(card ?? '') : at.books.pay(reference);
    },
    goodPixKey: 'fornecedor@example.com',
    close: async () => {
      await adapter.disconnect();
      await at.close();
    },
  };
});

const PAYER = { name: 'Maria Souza', taxId: '52998224725' };
const order = (chargeId = mintId<ChargeId>('pixCharge', new Date())): IssuePix => ({
  chargeId,
  amountCents: 2_590,
  description: 'Order 1042',
  beneficiary: { name: 'Loja da Ana', city: 'São Paulo', taxId: '11222333000181' },
  payer: PAYER,
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
  const faults: readonly Fault[] = [
    { kind: 'DROP_AFTER_EFFECT' },
    { kind: 'DROP_BEFORE_EFFECT' },
    { kind: 'STATUS', status: 429, retryAfterSeconds: 1 },
    { kind: 'STATUS', status: 503 },
  ];
  it.each(faults)('leaves one live payment per charge after 100 times $kind', async (fault) => {
    for (let nth = 0; nth < 100; nth += 1) {
      const request = order();
      asaas.breakNext('POST /v3/payments', fault);
      const reference = await issued(request);
      expect(asaas.books.live(request.chargeId.slice(-26))).toEqual([reference]);
      expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
    }
  });

  /** Two payments are made for the charge. @returns the one that counts. */
  async function madeTwice(request: IssuePix): Promise<string> {
    // Before and after the lost order, and before the second one.
    asaas.faults.order({
      on: 'GET /v3/payments',
      fault: { kind: 'LISTINGS_LAG', seconds: 60 },
      times: 3,
    });
    asaas.breakNext('POST /v3/payments', { kind: 'DROP_AFTER_EFFECT' });
    await expect(provider.pix.issue(request)).rejects.toMatchObject({ kind: 'RETRY' });
    return issued(request);
  }

  it('removes the second payment of a lagging list when the charge ends, 100 times', async () => {
    for (let nth = 0; nth < 100; nth += 1) {
      const request = order();
      const reference = await madeTwice(request);
      expect(asaas.books.live(request.chargeId.slice(-26))).toHaveLength(2);
      expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
      expect(asaas.books.live(request.chargeId.slice(-26))).toEqual([]);
    }
  });

  it('keeps the payment that was shown when the request is repeated', async () => {
    const request = order();
    const shown = await madeTwice(request);
    expect(await issued(request)).toBe(shown);
    expect(asaas.books.live(request.chargeId.slice(-26))).toEqual([shown]);
  });

  it('makes one payment for ten parallel requests whose answers are lost', async () => {
    const request = order();
    asaas.faults.order({ on: 'POST /v3/payments', fault: { kind: 'DROP_AFTER_EFFECT' }, times: 10 });
    const references = await Promise.all(Array.from({ length: 10 }, () => issued(request)));
    asaas.faults.clear();
    expect(new Set(references).size).toBe(1);
    expect(asaas.books.live(request.chargeId.slice(-26))).toEqual([references[0]]);
  });

  it('counts one payment of ten suspended requests, and removes the others', async () => {
    const suspended = createAsaasProvider(readAsaasAccount(accountAt(asaas)), memoryClaims(), {
      ...TIMES,
      // Every request believes that the earlier ones are over.
      claimMs: 0,
    });
    const request = order();
    const answers = await Promise.all(Array.from({ length: 10 }, () => suspended.pix.issue(request)));
    const references = answers.map((answer) => answer.outcome === 'ISSUED' && answer.issued.reference);
    expect(new Set(references).size).toBe(1);
    expect(asaas.books.live(request.chargeId.slice(-26))).toEqual([references[0]]);
    await suspended.disconnect();
  });

  it('issues nothing for a charge that was withdrawn', async () => {
    const request = order();
    expect(await provider.charges.closeUnstored(request.chargeId)).toMatchObject({ outcome: 'CLOSED' });
    expect(await provider.pix.issue(request)).toMatchObject({ outcome: 'DEAD' });
  });

  it('refunds once although the answers of 100 refunds are lost', async () => {
    for (let nth = 0; nth < 100; nth += 1) {
      const id = await issued(order());
      asaas.books.pay(id);
      asaas.breakNext(`POST /v3/payments/${id}/refund`, { kind: 'DROP_AFTER_EFFECT' });
      const refund = {
        refundReference: mintId<RefundId>('refund', new Date()),
        providerPaymentId: id,
        amountCents: 2_590,
      };
      expect(await provider.charges.refund(refund)).toEqual({ outcome: 'RETURNED' });
      expect(asaas.books.payments.get(id)?.refunds).toHaveLength(1);
    }
  });

  it.each(faults)('closes or reports the payment after 100 times $kind on removal', async (fault) => {
    for (let nth = 0; nth < 100; nth += 1) {
      const id = await issued(order());
      const isPaid = nth % 2 === 0 && asaas.books.pay(id);
      asaas.breakNext(`DELETE /v3/payments/${id}`, fault);
      const answer = await provider.charges.close(id).catch(() => provider.charges.close(id));
      expect(answer.outcome).toBe(isPaid ? 'PAID' : 'CLOSED');
    }
  });
});

describe('a charge at Asaas', () => {
  it('refuses a payer without a tax id before anything is ordered', async () => {
    const before = asaas.bodiesOf('POST /v3/payments').length;
    const answer = await provider.pix.issue({ ...order(), payer: { name: 'Maria', taxId: null } });
    expect(answer).toMatchObject({ outcome: 'REFUSED', reason: expect.stringContaining('customer.taxId') });
    expect(asaas.bodiesOf('POST /v3/payments')).toHaveLength(before);
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
    expect(asaas.bodiesOf('POST /v3/payments').at(-1)).toEqual({
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

  it("gives Asaas' own PDF of a boleto, and no PIX code if the account has no PIX key", async () => {
    const chargeId = mintId<ChargeId>('boletoCharge', new Date());
    const { expiresInSeconds: _, ...terms } = order(chargeId);
    const dueDate = civilDate('2027-12-10');
    const late = { interest: null, fine: null, daysPayableAfterDueDate: 0 };
    const ask = () => provider.boletos.issue({ ...terms, payer: PAYER, dueDate, ...late });
    asaas.books.hasPixKey = false;
    expect(await ask()).toMatchObject({
      issued: {
        brCode: null,
        barCode: expect.stringMatching(/^461/),
        voucherPdfUrl: expect.stringMatching(/pdf/),
      },
    });
    asaas.books.hasPixKey = true;
  });

  it('shows the stored code of a late boleto without asking Asaas', async () => {
    expect(provider.boletos.brCodeFor).toBeUndefined();
    const providers = { issuerOf: async () => provider } as unknown as Providers;
    const late = {
      status: 'PENDING',
      lateFrom: new Date('2026-11-01'),
      interest: { value: 100 },
      fine: null,
    };
    const boleto = { ...late, method: 'BOLETO', dueDate: civilDate('2026-10-31') } as unknown as Charge;
    const today = {
      providers,
      beneficiary: { name: 'Loja da Ana', city: 'São Paulo', taxId: null },
      now: new Date(),
    };
    expect(await brCodeToday({ ...boleto, brCode: 'STORED' }, today)).toBe('STORED');
    expect(await brCodeToday({ ...boleto, brCode: null }, today)).toBeNull();
  });

  it("reports a late payment with the provider's amount and its parts", async () => {
    const id = await issued(order());
    asaas.books.pay(id, { reais: 26.9, atBank: true });
    expect(await provider.charges.findPayment(id)).toMatchObject({
      amountCents: 2_690,
      endToEndIdentifier: null,
      components: { originalCents: 2_590, interestCents: 100, fineCents: 0, discountCents: 0 },
    });
  });

  it('reports money that came for a removed charge', async () => {
    const id = await issued(order());
    asaas.books.pay(id);
    Object.assign(asaas.books.payments.get(id) ?? {}, { deleted: true });
    expect(await provider.charges.findByReference(id)).toMatchObject({
      status: 'PAID',
      payments: [{ amountCents: 2_590 }],
    });
  });

  it('sees a refund of the panel, and refunds a part once if its answer is lost', async () => {
    const id = await issued(order());
    asaas.books.pay(id);
    const part = {
      refundReference: mintId<RefundId>('refund', new Date()),
      providerPaymentId: id,
      amountCents: 90,
    };
    asaas.breakNext(`POST /v3/payments/${id}/refund`, { kind: 'DROP_AFTER_EFFECT' });
    expect(await provider.charges.refund(part)).toEqual({ outcome: 'RETURNED' });
    expect(await provider.charges.refund(part)).toEqual({ outcome: 'RETURNED' });
    const rest = { ...part, refundReference: mintId<RefundId>('refund', new Date()) };
    const made = {
      dateCreated: '2026-11-20 10:00:00',
      status: 'DONE' as const,
      value: 5.9,
      description: null,
    };
    asaas.books.payments.get(id)?.refunds.push(made);
    const payment = await provider.charges.findPayment(id);
    expect(payment?.refunds).toEqual([
      { reference: part.refundReference, amountCents: 90, status: 'RETURNED', kind: 'ORDINARY' },
      { reference: '2026-11-20 10:00:00/590', amountCents: 590, status: 'RETURNED', kind: 'ORDINARY' },
    ]);
    expect(await provider.charges.refund({ ...rest, amountCents: 2_000 })).toMatchObject({
      outcome: 'REFUSED',
    });
    expect(await provider.charges.refund({ ...rest, amountCents: 1_910 })).toEqual({ outcome: 'RETURNED' });
  });
});

describe('money of a bar code', () => {
  it.each([false, true])(
    'refuses to return it for good, if it may have been ordered: %s',
    async (mayHaveBeenOrdered) => {
      const chargeId = mintId<ChargeId>('boletoCharge', new Date());
      const { expiresInSeconds: _, ...terms } = order(chargeId);
      const late = { interest: null, fine: null, daysPayableAfterDueDate: 0 };
      const dueDate = civilDate('2027-12-10');
      const answer = await provider.boletos.issue({ ...terms, payer: PAYER, dueDate, ...late });
      if (answer.outcome !== 'ISSUED') throw new Error(answer.outcome);
      const { reference: providerPaymentId } = answer.issued;
      asaas.books.pay(providerPaymentId, { atBank: true });
      const refundReference = mintId<RefundId>('refund', new Date());
      const refund = { refundReference, providerPaymentId, amountCents: 2_590, mayHaveBeenOrdered };
      expect(await provider.charges.refund(refund)).toMatchObject({ outcome: 'REFUSED', isImpossible: true });
    },
  );
});

describe('payouts from Asaas', () => {
  const send = (given: Partial<SendPix> = {}): SendPix => ({
    reference: mintId<PayoutId>('payout', new Date()),
    amountCents: 1_500,
    destination: { type: 'EMAIL', key: 'fornecedor@example.com' },
    now: new Date(),
    ...given,
  });
  const transfersOf = ({ reference }: SendPix) =>
    [...asaas.books.transfers.values()].filter(({ externalReference }) => externalReference === reference);

  it('sends once although the answer is lost, 100 times', async () => {
    for (let nth = 0; nth < 100; nth += 1) {
      const request = send();
      asaas.breakNext('POST /v3/transfers', { kind: 'DROP_AFTER_EFFECT' });
      await expect(provider.payouts.send(request)).rejects.toMatchObject({ kind: 'RETRY' });
      const again = await provider.payouts.send({ ...request, mayHaveBeenOrdered: true });
      expect(again).toMatchObject({ outcome: 'COMPLETE', endToEndIdentifier: expect.any(String) });
      expect(transfersOf(request)).toHaveLength(1);
    }
  });

  it('never orders a second transfer while the list shows none, and asks a person', async () => {
    const request = send();
    asaas.breakNext('POST /v3/transfers', { kind: 'DROP_AFTER_EFFECT' });
    await expect(provider.payouts.send(request)).rejects.toMatchObject({ kind: 'RETRY' });
    const lag = { kind: 'LISTINGS_LAG', seconds: 60 } as const;
    asaas.faults.order({ on: 'GET /v3/transfers', fault: lag, times: 1 });
    const again = { ...request, mayHaveBeenOrdered: true };
    expect(await provider.payouts.send(again)).toMatchObject({ outcome: 'REFUSED_IN_DOUBT' });
    expect(await provider.payouts.send(again)).toMatchObject({ outcome: 'COMPLETE' });
    expect(transfersOf(request)).toHaveLength(1);
  });

  it('orders once for ten parallel requests', async () => {
    const request = send();
    await Promise.allSettled(Array.from({ length: 10 }, () => provider.payouts.send(request)));
    expect(transfersOf(request)).toHaveLength(1);
  });

  it('finds a transfer whose claim a restore has lost', async () => {
    const request = send();
    await provider.payouts.send(request);
    const restored = providerAt(asaas);
    await eventually(async () => {
      expect(await restored.payouts.send(request)).toMatchObject({ outcome: 'COMPLETE' });
    });
    expect(transfersOf(request)).toHaveLength(1);
    await restored.disconnect();
  });

  it('orders after a look-up that failed', async () => {
    const request = send();
    asaas.breakNext('GET /v3/transfers', { kind: 'STATUS', status: 503 });
    await expect(provider.payouts.send(request)).rejects.toMatchObject({ kind: 'RETRY' });
    expect(await provider.payouts.send({ ...request, mayHaveBeenOrdered: true })).toEqual({
      outcome: 'PENDING',
    });
    expect(transfersOf(request)).toHaveLength(1);
  });

  it('orders again after a 429, which had no effect', async () => {
    const request = send();
    asaas.breakNext('POST /v3/transfers', { kind: 'STATUS', status: 429 });
    await expect(provider.payouts.send(request)).rejects.toMatchObject({ kind: 'RATE_LIMITED' });
    expect(await provider.payouts.send({ ...request, mayHaveBeenOrdered: true })).toEqual({
      outcome: 'PENDING',
    });
    expect(transfersOf(request)).toHaveLength(1);
  });

  it("fails with Asaas' reason if it refuses the order, or cannot carry it out", async () => {
    expect(await provider.payouts.send(send({ amountCents: 100_000_000 }))).toEqual({
      outcome: 'FAILED',
      reason: 'Saldo insuficiente para a transferência.',
    });
    const failing = send({ destination: { type: 'EMAIL', key: 'falha@example.com' } });
    await provider.payouts.send(failing);
    await eventually(async () => {
      expect(await provider.payouts.send(failing)).toEqual({
        outcome: 'FAILED',
        reason: 'A conta de destino não existe.',
      });
    });
  });

  it("sends to the store's own key, and tells another transfer apart", async () => {
    const own = send({ destination: null });
    await provider.payouts.send(own);
    expect(transfersOf(own)).toMatchObject([{ bankAccount: { pixAddressKey: 'loja@banco.example' } }]);
    expect(await provider.payouts.find({ ...own, amountCents: 1_501 })).toEqual({
      outcome: 'OTHER_TRANSFER',
    });
  });

  it('gives no orders in a process without claims', async () => {
    const command = createAsaasProvider(readAsaasAccount(accountAt(asaas)), null, TIMES);
    await expect(command.payouts.send(send())).rejects.toMatchObject({ kind: 'UNSUPPORTED' });
    await expect(command.pix.issue(order())).rejects.toMatchObject({ kind: 'UNSUPPORTED' });
    await command.disconnect();
  });
});

describe('payments that Asaas lists', () => {
  const DAY_MS = 86_400_000;
  const listedIn = async (from: Date, until: Date) =>
    (await provider.listing.payments({ from, until }, null)).items.map(({ reference }) => reference);

  it('lists a boleto when it is reported, and exactly by whole days', async () => {
    const id = await issued(order());
    asaas.books.pay(id, { atBank: true });
    const now = new Date();
    const yesterday = addDays(saoPauloDateOf(now), -1);
    Object.assign(asaas.books.payments.get(id) ?? {}, { clientPaymentDate: yesterday });
    expect(await listedIn(new Date(now.getTime() - 60_000), now)).toContain(id);
    const midnight = saoPauloMidnight(saoPauloDateOf(now));
    const ofDay = (start: Date) => listedIn(start, new Date(start.getTime() + DAY_MS));
    expect(await ofDay(midnight)).not.toContain(id);
    expect(await ofDay(saoPauloMidnight(yesterday))).toContain(id);
  });

  it('leaves out payments of other programs at the same account', async () => {
    const id = await issued(order());
    asaas.books.pay(id);
    Object.assign(asaas.books.payments.get(id) ?? {}, { externalReference: 'pedido-7' });
    const now = new Date();
    expect(await listedIn(new Date(now.getTime() - 60_000), new Date(now.getTime() + 60_000))).not.toContain(
      id,
    );
  });

  it('reads the statement: payments, fees, chargebacks, transfers and others', async () => {
    const box = await new AsaasBox().open();
    const adapter = providerAt(box);
    const answer = await adapter.pix.issue(order());
    if (answer.outcome !== 'ISSUED') throw new Error(answer.outcome);
    const { reference } = answer.issued;
    box.books.pay(reference);
    const { book } = box.books;
    const date = box.books.today();
    book.add({ type: 'PAYMENT_FEE', value: -1.99, date, paymentId: reference });
    book.add({ type: 'CHARGEBACK', value: -25.9, date, paymentId: reference });
    book.add({ type: 'PAYMENT_FEE_REVERSAL', value: 1.99, date, paymentId: reference });
    book.add({ type: 'TRANSFER', value: -10, date });
    book.add({ type: 'PROMOTIONAL_CODE_CREDIT', value: 5, date });
    book.add({ type: 'PAYMENT_RECEIVED', value: 7, date, paymentId: 'pay_removed' });
    Object.assign(book.lines.at(-1) ?? {}, { value: 7.001 });
    const from = saoPauloMidnight(saoPauloDateOf(new Date()));
    const { items, unreadableIds } = await adapter.statement.entries(
      { from, until: new Date(from.getTime() + DAY_MS) },
      null,
    );
    expect(items.map(({ kind, amountCents, isOurs }) => [kind, amountCents, isOurs])).toEqual([
      ['PAYMENT', 2_590, true],
      ['FEE', -199, true],
      ['DISPUTE', -2_590, true],
      ['FEE', 199, true],
      ['PAYOUT', -1_000, false],
      ['ADJUSTMENT', 500, false],
    ]);
    expect(items[0]).toMatchObject({ providerPaymentId: reference, balanceAfterCents: 1_002_590 });
    expect(unreadableIds).toHaveLength(1);
    await adapter.disconnect();
    await box.close();
  });

  it('names what it cannot read, and lists the rest', async () => {
    const id = await issued(order());
    asaas.books.pay(id);
    Object.assign(asaas.books.payments.get(id) ?? {}, { value: 1.005 });
    const now = new Date();
    const time = { from: new Date(now.getTime() - 60_000), until: new Date(now.getTime() + 60_000) };
    const { items, unreadableIds } = await provider.listing.payments(time, null);
    expect(unreadableIds).toEqual([id]);
    expect(items.length).toBeGreaterThan(0);
    asaas.books.payments.delete(id);
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

  const ADDRESS = `https://pay.example.com/notifications/acct_1/${PATH_SECRET}`;

  it('registers one webhook for an account, whatever its address was', async () => {
    await provider.notifications.register(ADDRESS.replace('pay.', 'old.'));
    await provider.notifications.register(ADDRESS);
    expect([...asaas.queue.webhooks.values()]).toMatchObject([
      { url: ADDRESS, interrupted: false, enabled: true, authToken: WEBHOOK_TOKEN },
    ]);
  });

  it('resumes a queue that stopped after 15 failures, and receives what waited', async () => {
    const at = await new AsaasBox().open();
    const adapter = providerAt(at);
    let status = 500;
    const taken: unknown[] = [];
    const service = createServer(async (request, response) => {
      const rawBody = Buffer.from(await text(request));
      const { headers } = request;
      const pathSecret = request.url?.split('/').at(-1) ?? null;
      const notification = { ...received(''), rawBody, headers, pathSecret };
      if (status === 200 && adapter.notifications.authenticate(notification))
        taken.push(...adapter.notifications.translate(rawBody));
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    await adapter.notifications.register(`http://127.0.0.1:${port}/notifications/acct_1/${PATH_SECRET}`);
    const request = order();
    await adapter.pix.issue(request);
    const [id = ''] = at.books.live(request.chargeId.slice(-26));
    at.books.pay(id);
    await at.queue.idle();
    expect([...at.queue.webhooks.values()]).toMatchObject([{ interrupted: true }]);
    expect(at.queue.posted).toHaveLength(15);
    status = 200;
    expect(await adapter.notifications.resume?.()).toBe(true);
    await at.queue.idle();
    expect(taken).toEqual([{ kind: 'PAYMENT', providerPaymentId: id, reference: id }]);
    expect(await adapter.notifications.resume?.()).toBe(false);
    await Promise.all([adapter.disconnect(), at.close(), new Promise((resolve) => service.close(resolve))]);
  });

  it('makes a token for an account that has none, and returns it to be stored', async () => {
    const { webhookToken: _, ...secrets } = accountAt(asaas).secrets;
    const fresh = createAsaasProvider(readAsaasAccount({ ...accountAt(asaas), secrets }), null);
    const { webhookToken } = (await fresh.notifications.register(ADDRESS)).secrets;
    expect([...asaas.queue.webhooks.values()].at(-1)).toMatchObject({ authToken: webhookToken });
    expect(fresh.notifications.authenticate(received(String(webhookToken)))).toBe(false);
    await fresh.disconnect();
  });

  it('accepts only its token at its address', () => {
    expect(provider.notifications.authenticate(received(WEBHOOK_TOKEN))).toBe(true);
    expect(provider.notifications.authenticate(received('another'))).toBe(false);
    expect(provider.notifications.authenticate(received(WEBHOOK_TOKEN, 'another'))).toBe(false);
  });

  it('points to payments, and acknowledges every other event', () => {
    const pointers = (body: unknown) => provider.notifications.translate(Buffer.from(JSON.stringify(body)));
    expect(pointers({ event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1' } })).toEqual([
      { kind: 'PAYMENT', providerPaymentId: 'pay_1', reference: 'pay_1' },
    ]);
    expect(pointers({ event: 'PAYMENT_REFUNDED', payment: { id: 'pay_1' } })).toMatchObject([
      { hasRefunds: true },
    ]);
    expect(pointers({ event: 'TRANSFER_DONE', transfer: { externalReference: 'tran_1' } })).toEqual([
      { kind: 'TRANSFER', reference: 'tran_1' },
    ]);
    expect(pointers({ event: 'TRANSFER_DONE', transfer: { externalReference: null } })).toEqual([]);
    expect(pointers({ event: 'PAYMENT_OVERDUE', payment: { id: 'pay_1' } })).toEqual([]);
    expect(pointers({ event: 'INVOICE_CREATED', invoice: { id: 'inv_1' } })).toEqual([]);
    expect(() => provider.notifications.translate(Buffer.from('no'))).toThrow('not an event');
  });
});

it.each([
  ['contactEmail', { contactEmail: 'nobody' }],
  ['apiUrl', { asaasEnvironment: 'production' }],
])('refuses an account whose %s is wrong', (setting, settings) => {
  const account = accountAt({ url: 'http://127.0.0.1:1' }, settings);
  expect(() => ASAAS.create(account)).toThrow(
    expect.objectContaining({ problems: expect.arrayContaining([expect.objectContaining({ setting })]) }),
  );
});
