import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type KeyPair, makeCertificates } from '../../scripts/psp/certificates.ts';
import type { Fault } from '../../scripts/psp/faults.ts';
import { closed } from '../../scripts/psp/local-server.ts';
import { PAYOUT_KEY, PIX_KEY, type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import type { ChargeId, PayoutId, RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import { BACEN } from '../../src/providers/bacen/kind.ts';
import { BACEN_PROFILES, type BacenProfileName } from '../../src/providers/bacen/profiles/index.ts';
import type { IssuePix } from '../../src/providers/ports/pix.ts';
import { portOf } from '../../src/providers/provider.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { conforms } from './conformance.ts';

const PROFILES = Object.keys(BACEN_PROFILES) as BacenProfileName[];
/** Long enough for a busy machine. Tests that wait for it still end in time. */
const TIMEOUT_MS = 2_000;

let psp: Psp;
let bank: BacenProvider;
const others: Psp[] = [];
const connected: BacenProvider[] = [];

/** The adapter, for the account that this bank has given, with other settings and secrets. */
function accountAt(
  at: Psp,
  other: Partial<Record<'settings' | 'secrets', Readonly<Record<string, string>>>> = {},
): BacenProvider {
  const { profile, settings, secrets } = at.account;
  const account = readBacenAccount({
    id: 'acct_1',
    profile,
    settings: { ...settings, receivingAccount: '1234567', ...other.settings },
    secrets: { ...secrets, ...other.secrets },
  });
  const provider = createBacenProvider(account, { timeoutMs: TIMEOUT_MS });
  connected.push(provider);
  return provider;
}

beforeAll(async () => {
  psp = await startPsp({ profile: 'efi' });
  bank = accountAt(psp);
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  await Promise.all(connected.map((provider) => provider.disconnect()));
  await Promise.all([psp, ...others].map((each) => each.close()));
  await Promise.all(hooks.map(closed));
});

const order = (amountCents = 2_500, chargeId = mintId<ChargeId>('pixCharge', new Date())): IssuePix => ({
  chargeId,
  amountCents,
  description: 'Order 1042',
  beneficiary: { name: 'Loja da Ana', city: 'São Paulo', taxId: null },
  payer: { name: 'Maria Souza', taxId: '52998224725' },
  expiresInSeconds: 3_600,
  now: new Date(),
});

async function issue(provider: BacenProvider = bank, request: IssuePix = order()) {
  const answer = await provider.pix.issue(request);
  if (answer.outcome !== 'ISSUED') throw new Error(answer.outcome);
  return answer.issued;
}

async function issueAndPay(provider: BacenProvider = bank, at: Psp = psp, amountCents = 2_500) {
  const { reference } = await issue(provider, order(amountCents));
  const { endToEndId } = at.bank.pay(reference);
  return { reference, endToEndId };
}

const refundOf = (providerPaymentId: string, amountCents = 2_500) => ({
  refundReference: mintId<RefundId>('refund', new Date()),
  providerPaymentId,
  amountCents,
});
/** Faults that need nothing but their kind. */
type PlainFault = {
  [Kind in Fault['kind']]: { kind: Kind } extends Extract<Fault, { kind: Kind }> ? Kind : never;
}[Fault['kind']];
const fault = (kind: PlainFault, on: string, times = 1) =>
  psp.faults.order({ fault: { kind } as Fault, on, times });
const chargesAt = (at: Psp) => Object.keys(at.bank.state.charges).length;

describe('an order whose answer is lost', () => {
  it('looks up a charge whose answer was lost, and issues one charge per id', async () => {
    const before = chargesAt(psp);
    for (const kind of ['DROP_AFTER_EFFECT', 'HANG_AFTER_EFFECT'] as const) {
      fault(kind, 'PUT cob');
      const request = order();
      const { reference } = await issue(bank, request);
      expect(psp.bank.state.charges[reference]?.revision).toBe(0);
      expect(await issue(bank, request)).toMatchObject({ reference });
    }
    expect(chargesAt(psp)).toBe(before + 2);
  });

  it('finds a charge that a crashed process issued before its commit', async () => {
    const request = order();
    const dead = accountAt(psp);
    const first = await issue(dead, request);
    expect(await issue(accountAt(psp), request)).toEqual(first);
    expect(await bank.charges.findByReference(first.reference)).toEqual({ status: 'OPEN', payments: [] });
  });

  it('retries if the look-up fails as well, and then issues the charge', async () => {
    fault('DROP_AFTER_EFFECT', 'PUT cob');
    fault('DROP_AFTER_EFFECT', 'GET cob', 2);
    const request = order();
    await expect(bank.pix.issue(request)).rejects.toMatchObject({ kind: 'RETRY' });
    await expect(bank.pix.issue(request)).rejects.toMatchObject({ kind: 'RETRY' });
    expect(await bank.pix.issue(request)).toMatchObject({ outcome: 'ISSUED' });
  });

  it('sends one refund, and one transfer', async () => {
    const { endToEndId } = await issueAndPay();
    fault('DROP_AFTER_EFFECT', 'PUT refund');
    const refund = refundOf(endToEndId);
    await eventually(async () => expect(await bank.charges.refund(refund)).toEqual({ outcome: 'RETURNED' }));
    expect(psp.bank.findPayment(endToEndId).refunds).toHaveLength(1);

    await bank.notifications?.register(await takesAnything());
    fault('DROP_AFTER_EFFECT', 'PUT transfer');
    const transfer = {
      reference: mintId<PayoutId>('payout', new Date()),
      amountCents: 700,
      destination: null,
      now: new Date(),
    };
    await eventually(async () =>
      expect(await portOf(bank, 'payouts').send(transfer)).toMatchObject({ outcome: 'COMPLETE' }),
    );
    expect(Object.values(psp.bank.state.transfers)).toMatchObject([{ toKey: PAYOUT_KEY, amountCents: 700 }]);
  });
});

describe('a transfer that the bank has with another content under the same id', () => {
  const transfer = (amountCents: number, key: string, reference: PayoutId) =>
    portOf(bank, 'payouts').send({
      reference,
      amountCents,
      destination: { type: 'EMAIL', key },
      now: new Date(),
    });

  it('refuses another amount or key under the same transfer id, without sending', async () => {
    await bank.notifications?.register(await takesAnything());
    const reference = mintId<PayoutId>('payout', new Date());
    await transfer(700, 'ana@example.com', reference);
    const sent = Object.keys(psp.bank.state.transfers).length;
    expect(await transfer(800, 'ana@example.com', reference)).toEqual({ outcome: 'OTHER_TRANSFER' });
    expect(await transfer(700, 'bia@example.com', reference)).toEqual({ outcome: 'OTHER_TRANSFER' });
    expect(await transfer(700, 'Ana@Example.com', reference)).toMatchObject({ outcome: 'COMPLETE' });
    expect(Object.keys(psp.bank.state.transfers)).toHaveLength(sent);
  });
});

describe('a charge', () => {
  it('removes a charge that is requested again with another amount or key', async () => {
    const request = order(2_500);
    const { reference } = await issue(bank, request);
    expect(await bank.pix.issue({ ...request, amountCents: 2_600 })).toMatchObject({ outcome: 'DEAD' });
    expect(() => psp.bank.pay(reference)).toThrow('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    const ofOldKey = order();
    await issue(bank, ofOldKey);
    const otherKey = accountAt(psp, { settings: { pixKey: 'outra@loja.example' } });
    expect(await otherKey.pix.issue(ofOldKey)).toMatchObject({ outcome: 'DEAD' });
  });

  it("reports the bank's refusal without the data that it quotes", async () => {
    const wrongKey = accountAt(psp, { settings: { pixKey: 'outra@loja.example' } });
    expect(await wrongKey.pix.issue(order())).toMatchObject({
      outcome: 'REFUSED',
      reason: expect.stringContaining('A chave não pertence ao usuário recebedor.'),
    });
    const asked = wrongKey.notifications?.register('not an address');
    await expect(asked).rejects.toThrow(
      /^PUT \/v2\/webhook\/… was answered with 400: .* webhookUrl A URL não é válida\.$/,
    );
  });

  it('closes a charge repeatedly, and closes one that the bank does not know', async () => {
    const { reference } = await issue();
    expect(await bank.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
    expect(await bank.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
    expect(() => psp.bank.pay(reference)).toThrow('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    expect(await bank.charges.findByReference(reference)).toEqual({ status: 'CLOSED', payments: [] });
    expect(await bank.charges.close('0'.repeat(26))).toEqual({ outcome: 'CLOSED', wasDead: true });
    expect(await bank.charges.findByReference('0'.repeat(26))).toBeNull();
  });

  it('keeps a charge open while its removal was lost and look-ups lag', async () => {
    const { reference } = await issue();
    psp.faults.order({ fault: { kind: 'DROP_BEFORE_EFFECT' }, on: 'PATCH cob', times: 1 });
    psp.faults.order({ fault: { kind: 'LOOKUPS_LAG', seconds: 600 }, on: 'GET cob', times: 'ALWAYS' });
    await expect(bank.charges.close(reference)).rejects.toMatchObject({ kind: 'RETRY' });
    expect(psp.bank.state.charges[reference]).toMatchObject({ status: 'ATIVA' });
    expect(await bank.charges.close(reference)).toMatchObject({ outcome: 'PENDING' });
    psp.faults.clear();
    expect(await bank.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
  });

  it('returns the payment if it comes before or during the removal', async () => {
    const { reference, endToEndId } = await issueAndPay();
    expect(await bank.charges.close(reference)).toMatchObject({
      outcome: 'PAID',
      payment: { providerPaymentId: endToEndId, amountCents: 2_500 },
    });
    const { reference: raced } = await issue();
    fault('PAID_WHILE_REMOVED', 'PATCH cob');
    expect(await bank.charges.close(raced)).toMatchObject({ outcome: 'PAID', payment: { reference: raced } });
  });

  it('reports CONCLUIDA without a payment as neither paid nor closed yet', async () => {
    const { reference } = await issueAndPay();
    fault('CONCLUDED_WITHOUT_PIX', 'GET cob', 2);
    expect(await bank.charges.close(reference)).toMatchObject({ outcome: 'PENDING' });
    await expect(bank.charges.findByReference(reference)).rejects.toMatchObject({ kind: 'RETRY' });
    expect(await bank.charges.close(reference)).toMatchObject({ outcome: 'PAID' });
  });

  it('asks again about a charge that the bank does not remove, until it has expired', async () => {
    const { reference } = await issue();
    fault('REFUSE_REMOVAL', 'PATCH cob', 3);
    await expect(bank.charges.close(reference)).rejects.toMatchObject({ refusal: expect.any(String) });
    const issuedAgo = (seconds: number) =>
      Object.assign(psp.bank.findCharge('cob', reference), {
        createdAt: new Date(Date.now() - seconds * 1_000).toISOString(),
      });
    issuedAgo(3_600 + 60);
    await expect(bank.charges.close(reference)).rejects.toMatchObject({ refusal: expect.any(String) });
    issuedAgo(2 * 3_600);
    expect(await bank.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
  });

  it('treats an unknown status as neither paid, closed nor an error', async () => {
    const { reference } = await issue();
    const fault = { kind: 'UNKNOWN_STATUS', value: 'CONCLUIDA_POR_OUTRO_ARRANJO' } as const;
    psp.faults.order({ fault, on: 'GET cob', times: 2 });
    expect(await bank.charges.findByReference(reference)).toEqual({ status: 'OPEN', payments: [] });
    expect(await bank.charges.close(reference)).toMatchObject({ outcome: 'PENDING' });
  });
});

describe('a payment', () => {
  it('returns a payment with the components that the bank reports', async () => {
    const { reference, endToEndId } = await issueAndPay(bank, psp, 123_456);
    expect(await bank.charges.findPayment(endToEndId)).toMatchObject({
      providerPaymentId: endToEndId,
      endToEndIdentifier: endToEndId,
      reference,
      amountCents: 123_456,
      components: { originalCents: 123_456, interestCents: 0, fineCents: 0, discountCents: 0 },
      refunds: [],
    });
    expect(await bank.charges.findPayment(`E${'9'.repeat(31)}`)).toBeNull();
    expect(await bank.charges.findPayment('../cob')).toBeNull();
  });

  it('lists every payment of a period once, page by page', async () => {
    const at = await startPsp({ certificates: psp.certificates });
    others.push(at);
    const provider = accountAt(at);
    const { reference } = await issue(provider);
    const from = at.bank.now();
    const wanted = Array.from(
      { length: 230 },
      () => at.bank.pay(reference, { whateverItsStatus: true }).endToEndId,
    );
    const until = new Date(at.bank.now().getTime() + 1);
    const listed: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page = await provider.listing.payments({ from, until }, cursor);
      listed.push(...page.items.map(({ providerPaymentId }) => providerPaymentId));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== null);
    expect(listed).toHaveLength(wanted.length);
    expect(new Set(listed)).toEqual(new Set(wanted));
    expect(pages).toBe(3);
    const later = { from: new Date(until.getTime() + 5_000), until: new Date(until.getTime() + 60_000) };
    expect(await provider.listing.payments(later, null)).toEqual({ items: [], nextCursor: null });
  });

  it('goes back in parts, each once, and never more than there is', async () => {
    const { endToEndId } = await issueAndPay();
    const [first, second] = [refundOf(endToEndId, 1_000), refundOf(endToEndId, 1_500)];
    const together = await Promise.all(Array.from({ length: 10 }, () => bank.charges.refund(first)));
    for (const { outcome } of together) expect(outcome).not.toBe('REFUSED');
    await bank.charges.refund(second);
    const returned = [first, second].map(({ refundReference, amountCents }) => ({
      reference: refundReference,
      amountCents,
      status: 'RETURNED',
      kind: 'ORDINARY',
    }));
    await eventually(async () =>
      expect((await bank.charges.findPayment(endToEndId))?.refunds).toEqual(returned),
    );
    expect(await bank.charges.refund(refundOf(endToEndId, 1))).toMatchObject({
      outcome: 'REFUSED',
      reason: expect.stringContaining('excede'),
    });
  });

  it('reports a refund as refused if it fails after the bank accepted it', async () => {
    const { endToEndId } = await issueAndPay();
    fault('REFUND_FAILS', 'PUT refund');
    const refund = refundOf(endToEndId);
    expect(await bank.charges.refund(refund)).toMatchObject({ outcome: 'PENDING' });
    const refused = { outcome: 'REFUSED', reason: 'A conta do pagador foi encerrada.' };
    await eventually(async () => expect(await bank.charges.refund(refund)).toEqual(refused));
  });

  it('never reports a refusal while an earlier order may have reached the bank', async () => {
    const { endToEndId } = await issueAndPay();
    const refund = refundOf(endToEndId);
    expect(await bank.charges.refund(refund)).toMatchObject({
      outcome: expect.not.stringMatching('REFUSED'),
    });
    const lagging = { fault: { kind: 'STATUS', status: 404 }, on: 'GET refund', times: 2 } as const;
    const refusing = { fault: { kind: 'STATUS', status: 400 }, on: 'PUT refund' } as const;
    for (const fault of [lagging, refusing]) psp.faults.order(fault);
    const again = bank.charges.refund({ ...refund, mayHaveBeenOrdered: true });
    await expect(again).rejects.toMatchObject({ kind: 'RETRY' });
    await eventually(async () => expect(await bank.charges.refund(refund)).toEqual({ outcome: 'RETURNED' }));
    expect((await bank.charges.findPayment(endToEndId))?.refunds).toHaveLength(1);
  });

  it('refuses a refund after ninety days', async () => {
    const at = await startPsp({ certificates: psp.certificates });
    others.push(at);
    const provider = accountAt(at);
    const { endToEndId } = await issueAndPay(provider, at);
    at.bank.state.clockAheadMs += 91 * 86_400_000;
    expect(await provider.charges.refund(refundOf(endToEndId))).toMatchObject({ outcome: 'REFUSED' });
  });

  it("reports a dispute by the payer's bank with its reason", async () => {
    const { endToEndId } = await issueAndPay();
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE', 2_000);
    const payment = await bank.charges.findPayment(endToEndId);
    expect(payment?.refunds).toMatchObject([{ kind: 'MED_FRAUD', amountCents: 2_000, status: 'RETURNED' }]);
    const [dispute] = payment?.disputes ?? [];
    expect(dispute).toMatchObject({ status: 'LOST', amountCents: 2_000, providerPaymentId: endToEndId });
    expect(await bank.disputes.find(dispute?.providerDisputeId ?? '')).toEqual(dispute);
    for (const unknown of [`${endToEndId}/D1`, endToEndId, `E${'9'.repeat(31)}/D1`, ''])
      expect(await bank.disputes.find(unknown)).toBeNull();
  });

  it('lists only payments with refunds or disputes, also pending ones, if asked', async () => {
    const from = new Date(Date.now() - 60_000);
    const [kept, taken] = [await issueAndPay(), await issueAndPay()];
    psp.bank.takeBack(taken.endToEndId, 'MED_OPERACIONAL', 100, 'ON_REQUEST');
    const time = { from, until: new Date(Date.now() + 60_000), onlyReversed: true };
    const listed = (await bank.listing.payments(time, null)).items;
    const ids = listed.map(({ providerPaymentId }) => providerPaymentId);
    expect(ids).toContain(taken.endToEndId);
    expect(ids).not.toContain(kept.endToEndId);
    expect(listed.at(-1)?.disputes).toMatchObject([{ status: 'OPEN', amountCents: 100 }]);
  });
});

describe('a bank that is busy or does not know us', () => {
  it('reports how long to wait before the next request', async () => {
    const busy = (status: number, retryAfterSeconds?: number) =>
      psp.faults.order({
        fault: { kind: 'STATUS', status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
        on: 'GET cob',
      });
    busy(429, 7);
    await expect(bank.pix.issue(order())).rejects.toMatchObject({
      kind: 'RATE_LIMITED',
      retryAfterMs: 7_000,
    });
    busy(503, 30);
    await expect(bank.pix.issue(order())).rejects.toMatchObject({ kind: 'RETRY', retryAfterMs: 30_000 });
    for (const [status, kind] of [
      [429, 'RATE_LIMITED'],
      [503, 'RETRY'],
      [500, 'RETRY'],
    ] as const) {
      busy(status);
      await expect(bank.pix.issue(order())).rejects.toMatchObject({ kind, retryAfterMs: null });
    }
  });

  it('shares one token among parallel requests, and gets a new one when it is lost', async () => {
    const provider = accountAt(psp);
    const before = psp.tokens.givenCount;
    await Promise.all(Array.from({ length: 20 }, () => provider.pix.issue(order())));
    expect(psp.tokens.givenCount).toBe(before + 1);
    fault('EXPIRE_TOKENS', 'PUT cob');
    await issue(provider);
    expect(psp.tokens.givenCount).toBe(before + 2);
  });

  it('renews its token before it expires', async () => {
    const at = await startPsp({ certificates: psp.certificates, tokenSeconds: 60 });
    others.push(at);
    const provider = accountAt(at);
    await issue(provider);
    at.tokens.expireAll();
    await issue(provider);
    expect(at.tokens.givenCount).toBe(2);
  });

  it('distinguishes a wrong secret and a refused certificate from an outage', async () => {
    const strangers = [
      { secrets: { clientSecret: 'wrong' } },
      { secrets: { privateKey: psp.certificates.stranger.key } },
      {
        secrets: {
          certificate: psp.certificates.stranger.certificate,
          privateKey: psp.certificates.stranger.key,
        },
      },
    ];
    for (const each of strangers)
      await expect(accountAt(psp, each).pix.issue(order())).rejects.toMatchObject({ kind: 'UNAUTHORIZED' });
    psp.refuseCertificates(true);
    await expect(accountAt(psp).pix.issue(order())).rejects.toMatchObject({ kind: 'UNAUTHORIZED' });
    psp.refuseCertificates(false);
    expect(await accountAt(psp).pix.issue(order())).toMatchObject({ outcome: 'ISSUED' });
    const forged = await makeCertificates();
    const secrets = { ca: forged.authority };
    await expect(accountAt(psp, { secrets }).pix.issue(order())).rejects.toMatchObject({
      kind: 'UNAUTHORIZED',
    });
  });
});

/** A server that accepts every request. */
const received: { path: string; body: { pix?: { endToEndId: string }[] } }[] = [];
let hookUrl: Promise<string> | null = null;
const hooks: Server[] = [];
function takesAnything(): Promise<string> {
  hookUrl ??= (async () => {
    const server = createServer(async (request, response) => {
      received.push({ path: request.url ?? '', body: (await json(request)) as never });
      response.end();
    });
    server.listen(0, '127.0.0.1');
    hooks.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/notifications/acct_1/s3cret`;
  })();
  return hookUrl;
}

describe('a notification', () => {
  it('sends a hint for each payment and refund, which only names the payment', async () => {
    const provider = accountAt(psp, { secrets: { notificationSecret: 's3cret' } });
    await provider.notifications?.register(await takesAnything());
    const { reference, endToEndId } = await issueAndPay(provider);
    const about = () =>
      received.filter(({ body }) => body.pix?.some((each) => each.endToEndId === endToEndId));
    await eventually(() => expect(about()).toHaveLength(1));
    const [notified] = about();
    expect(notified?.path).toBe('/notifications/acct_1/s3cret/pix');
    const rawBody = Buffer.from(JSON.stringify(notified?.body));
    expect(provider.notifications?.translate(rawBody)).toEqual([
      { kind: 'PAYMENT', providerPaymentId: endToEndId, reference },
    ]);
    await provider.charges.refund(refundOf(endToEndId));
    await eventually(() => expect(about()).toHaveLength(2));

    fault('REPEAT_WEBHOOKS', 'webhook');
    const repeated = await issueAndPay(provider);
    await eventually(() =>
      expect(received.filter(({ body }) => body.pix?.[0]?.endToEndId === repeated.endToEndId)).toHaveLength(
        10,
      ),
    );
  });

  it("authenticates by the secret, and by the bank's certificate if configured", () => {
    const { authority, server, client, stranger } = psp.certificates;
    const secrets = { notificationSecret: 's3cret', bankAuthority: authority };
    const shown = ({ certificate }: KeyPair) => new X509Certificate(certificate);
    const by = (
      provider: BacenProvider,
      pathSecret: string | null,
      peerCertificate: X509Certificate | null = null,
    ) =>
      provider.notifications?.authenticate({
        rawBody: Buffer.from('{}'),
        headers: {},
        clientAddress: '203.0.113.9',
        pathSecret,
        peerCertificate,
      });
    const byToken = accountAt(psp, { secrets });
    expect(by(byToken, 's3cret')).toBe(true);
    for (const wrong of ['s3creT', 's3cre', '', null]) expect(by(byToken, wrong)).toBe(false);
    expect(by(accountAt(psp), '')).toBe(false);
    const settings = { notificationProof: 'mtls', bankCertificateName: 'localhost' } as const;
    const byCertificate = accountAt(psp, { secrets, settings });
    expect(by(byCertificate, 's3cret', shown(server))).toBe(true);
    for (const wrong of [client, stranger]) expect(by(byCertificate, 's3cret', shown(wrong))).toBe(false);
    expect(by(byCertificate, 's3cret')).toBe(false);
    expect(by(byCertificate, 'wrong', shown(server))).toBe(false);
  });

  it('refuses an unreadable notification, and ignores one without a payment', () => {
    const { notifications } = accountAt(psp);
    expect(notifications?.translate(Buffer.from('{"evento":"teste_webhook"}'))).toEqual([]);
    for (const bad of ['', '<html>', '{"pix":"E1"}'])
      expect(() => notifications?.translate(Buffer.from(bad))).toThrow(
        expect.objectContaining({ kind: 'INVALID' }),
      );
  });
});

it('reads a transfer by the id of its order, and a received payment by its txid', () => {
  const translate = (pix: unknown) =>
    accountAt(psp).notifications?.translate(Buffer.from(JSON.stringify({ pix: [pix] })));
  const idEnvio = 'tran01KAK0Y3PQ8V4T6R2W9ZB5XHMD';
  expect(translate({ endToEndId: 'E1', tipo: 'SOLICITACAO', gnExtras: { idEnvio } })).toEqual([
    { kind: 'TRANSFER', reference: 'tran_01KAK0Y3PQ8V4T6R2W9ZB5XHMD' },
  ]);
  expect(translate({ endToEndId: 'E1', txid: 'T1', gnExtras: { idEnvio } })).toEqual([
    { kind: 'PAYMENT', providerPaymentId: 'E1', reference: 'T1' },
  ]);
});

describe('a malformed item of a notification', () => {
  const pointersOf = (...pix: unknown[]) =>
    accountAt(psp).notifications?.translate(Buffer.from(JSON.stringify({ pix })));
  const GOOD = { endToEndId: 'E1', txid: 'T1' };

  it('names an unreadable payment and reads the others', () => {
    const digest = expect.stringMatching(/^sha256-[0-9a-f]{16}$/);
    expect(pointersOf({}, GOOD, 'E2', null)).toEqual([
      { kind: 'UNREADABLE', id: digest },
      { kind: 'PAYMENT', providerPaymentId: 'E1', reference: 'T1' },
      { kind: 'UNREADABLE', id: digest },
      { kind: 'UNREADABLE', id: digest },
    ]);
  });

  it('looks up the payment of an unreadable entry if its id is readable', () => {
    expect(pointersOf({ endToEndId: 'E1', txid: 7 })).toEqual([
      { kind: 'PAYMENT', providerPaymentId: 'E1', reference: null, hasRefunds: true },
      { kind: 'UNREADABLE', id: 'E1' },
    ]);
    expect(pointersOf({ ...GOOD, endToEndId: '../cob' })).toEqual([
      { kind: 'UNREADABLE', id: expect.stringContaining('sha256-') },
    ]);
  });

  it('names an unreadable refund, and reads the payment and its other refunds', () => {
    const devolucoes = [{ id: 'D1' }, { natureza: 'MED_FRAUDE' }, { id: 'M1', natureza: 'MED_FRAUDE' }];
    expect(pointersOf({ ...GOOD, devolucoes })).toEqual([
      { kind: 'PAYMENT', providerPaymentId: 'E1', reference: 'T1', hasRefunds: true },
      { kind: 'DISPUTE', providerDisputeId: 'E1/M1', reference: 'T1' },
      { kind: 'UNREADABLE', id: expect.stringMatching(/^E1\/sha256-/) },
    ]);
  });
});

it('reports an untrusted bank if its authority is not configured', async () => {
  const { profile, settings, secrets } = psp.account;
  const { ca: _, ...others } = secrets;
  const account = readBacenAccount({ id: 'acct_1', profile, settings, secrets: others });
  const provider = createBacenProvider(account, { timeoutMs: TIMEOUT_MS });
  connected.push(provider);
  await expect(provider.charges.findPayment('E1')).rejects.toThrow(/certificate is not trusted .*--ca/);
});

it('reads a payment with a malformed refund, and names that refund', async () => {
  const provider = accountAt(psp);
  const { endToEndId } = await issueAndPay(provider);
  const payment = psp.bank.findPayment(endToEndId);
  const good = refundOf(endToEndId, 100);
  await provider.charges.refund(good);
  const [made] = payment.refunds;
  if (made === undefined) throw new Error('the bank has made no refund');
  payment.refunds.push({ ...made, id: 'broken', status: undefined as never });
  expect(await provider.charges.findPayment(endToEndId)).toMatchObject({
    refunds: [{ reference: good.refundReference, amountCents: 100 }],
    unreadableRefundIds: ['broken'],
  });
});

for (const profile of PROFILES) {
  conforms(`the profile ${profile}`, BACEN.describe(profile), async () => {
    const at = await startPsp({ profile, certificates: psp.certificates });
    const provider = accountAt(at);
    // Efí sends money only from keys with a registered webhook.
    await provider.notifications?.register(await takesAnything());
    expect(Object.keys(at.bank.state.webhooks)).toEqual([PIX_KEY]);
    return {
      provider,
      pay: async (reference) => {
        const isOpen = at.bank.findCharge('cob', reference).status === 'ATIVA';
        if (isOpen) at.bank.pay(reference);
        return isOpen;
      },
      goodPixKey: 'ana@example.com',
      close: () => at.close(),
    };
  });

  it(`reports the bank's reason for a refusal with the profile ${profile}`, async () => {
    const at = await startPsp({ profile, certificates: psp.certificates });
    others.push(at);
    const provider = accountAt(at);
    const { endToEndId } = await issueAndPay(provider, at);
    expect(await provider.charges.refund(refundOf(endToEndId, 99_999))).toMatchObject({
      outcome: 'REFUSED',
      reason: expect.stringContaining('excede'),
    });
  });
}

describe('an account', () => {
  it.each([
    [{ settings: { pixKey: '' } }, 'pixKey'],
    [{ settings: { apiUrl: 'http://bank.example' } }, 'apiUrl'],
    [{ settings: { bankEnvironment: 'test' } }, 'bankEnvironment'],
    [{ settings: { notificationProof: 'mtls' } }, 'bankCertificateName'],
    [{ settings: { notificationProof: 'mtls', bankCertificateName: 'bank' } }, 'bankAuthority'],
    [{ secrets: { bankAuthority: '-----BEGIN CERTIFICATE-----' } }, 'bankAuthority'],
    [{ settings: { pixkey: 'loja@example.com' } }, 'pixkey'],
    [{ secrets: { certificate: 'MIIB…' } }, 'certificate'],
  ])('refuses %j and names the setting %s', (other, setting) => {
    expect(() => accountAt(psp, other)).toThrow(
      expect.objectContaining({ problems: expect.arrayContaining([expect.objectContaining({ setting })]) }),
    );
  });

  it('names what the profile lacks, and keeps secrets out of the message', () => {
    const { settings, secrets } = psp.account;
    const { apiUrl, tokenUrl, ...withoutAddresses } = settings;
    const { clientSecret, ...withoutSecret } = secrets;
    const lacking = (profile: string, given: object, kept: object) => () =>
      readBacenAccount({ id: 'acct_1', profile, settings: given as never, secrets: kept as never });
    expect(lacking('generic', withoutAddresses, secrets)).toThrow(/^apiUrl: /);
    expect(lacking('efi', settings, withoutSecret)).toThrow(/^clientSecret: /);
    expect(lacking('sicoob', withoutAddresses, withoutSecret)().addresses.api).toBe(
      'https://api.sicoob.com.br/pix/api/v2',
    );
    expect(lacking('efi', settings, { ...secrets, privateKey: 'se\u00e7ret' })).not.toThrow(/se\u00e7ret/);
  });
});
