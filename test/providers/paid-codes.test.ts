import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PIX_KEY, type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import type { PayoutId } from '../../src/domain/ids.ts';
import type { PixDestination } from '../../src/domain/payout.ts';
import { mintId } from '../../src/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import { bankErrorOf } from '../../src/providers/bacen/bank-error.ts';
import { readListedTransfers, readTransfer } from '../../src/providers/bacen/wire-transfer.ts';
import type { SendPix } from '../../src/providers/ports/payouts.ts';
import { portOf } from '../../src/providers/provider.ts';
import { AMOUNT_ELEMENT, changedCode, payeeCode } from '../support/outside/payee-codes.ts';
import { eventually } from '../support/waiting/eventually.ts';

const TXID = 'PEDIDO1042';
const ANA = { type: 'EMAIL', key: 'ana@example.com' } as const;
const CODE: PixDestination = { type: 'BR_CODE', key: payeeCode(), txid: TXID };

const opened: { psp: Psp; bank: BacenProvider }[] = [];
async function open(options: { readonly withheldScopes?: readonly string[] } = {}) {
  const psp = await startPsp({ profile: 'efi', ...options });
  const { profile, settings, secrets } = psp.account;
  const bank = createBacenProvider(readBacenAccount({ id: 'acct_1', profile, settings, secrets }));
  // The bank sends money only from a key with a webhook.
  psp.bank.state.webhooks[PIX_KEY] = { key: PIX_KEY, url: '', createdAt: '', withoutCertificate: true };
  opened.push({ psp, bank });
  return { psp, bank };
}

let psp: Psp;
let bank: BacenProvider;
beforeAll(async () => {
  ({ psp, bank } = await open());
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  for (const each of opened) {
    await each.bank.disconnect();
    await each.psp.close();
  }
});

const orderOf = (destination: PixDestination, amountCents = 700): SendPix => ({
  reference: mintId<PayoutId>('payout', new Date()),
  amountCents,
  destination,
  now: new Date(),
});
const atBank = ({ reference }: SendPix) => psp.bank.state.transfers[reference.replace('_', '')];
const isComplete = (order: SendPix) =>
  eventually(async () =>
    expect(await portOf(bank, 'payouts').send(order)).toMatchObject({ outcome: 'COMPLETE' }),
  );

describe('a transfer to a BR Code with a txid', () => {
  it('carries the txid to the payee, with the amount and key of the code', async () => {
    const order = orderOf(CODE);
    await isComplete(order);
    expect(atBank(order)).toMatchObject({ txid: TXID, amountCents: 700, toKey: ANA.key, fromKey: PIX_KEY });
  });

  it('orders the exact amount if the code leaves it open', async () => {
    const order = orderOf({ ...CODE, key: changedCode(payeeCode(), AMOUNT_ELEMENT, '') }, 650);
    await isComplete(order);
    expect(atBank(order)).toMatchObject({ txid: TXID, amountCents: 650 });
  });

  it('goes to the key alone if it was created without a txid, as by an earlier release', async () => {
    const order = orderOf({ ...CODE, txid: null });
    await isComplete(order);
    expect(atBank(order)).toMatchObject({ txid: null, toKey: ANA.key });
  });

  it('sends once if the answer is lost, and once for two requests in parallel', async () => {
    const order = orderOf(CODE);
    psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'PUT qrcode' });
    await Promise.allSettled([portOf(bank, 'payouts').send(order), portOf(bank, 'payouts').send(order)]);
    await isComplete(order);
    expect(psp.faults.report().happened).toMatchObject({ 'DROP_AFTER_EFFECT PUT qrcode': 1 });
    expect(Object.values(psp.bank.state.transfers).filter(({ id }) => id === atBank(order)?.id)).toHaveLength(
      1,
    );
  });

  it('shares its id with transfers to keys: the bank refuses it in either order', async () => {
    for (const [first, second] of [
      [ANA, CODE],
      [CODE, ANA],
    ] as const) {
      const order = orderOf(first);
      await portOf(bank, 'payouts').send(order);
      // The look-up does not find the first one yet.
      psp.faults.order({ fault: { kind: 'LOOKUPS_LAG', seconds: 600 }, on: 'GET transfer', times: 'ALWAYS' });
      const other = { ...order, destination: second, mayHaveBeenOrdered: true };
      await expect(portOf(bank, 'payouts').send(other)).rejects.toMatchObject({ kind: 'RETRY' });
      psp.faults.clear();
      await isComplete(other);
      expect(atBank(order)?.txid ?? null).toBe(first === CODE ? TXID : null);
    }
  });

  it('reports OTHER_TRANSFER if the bank has another amount or key under the id', async () => {
    const order = orderOf(ANA);
    await isComplete(order);
    const other = [
      orderOf({ ...CODE, key: payeeCode({ amountCents: 800 }) }, 800),
      orderOf({ ...CODE, key: payeeCode({ key: 'bia@example.com' }) }),
    ];
    for (const each of other)
      expect(await portOf(bank, 'payouts').send({ ...each, reference: order.reference })).toEqual({
        outcome: 'OTHER_TRANSFER',
      });
  });

  it('fails with the words of a bank that refuses the code', async () => {
    delete psp.bank.state.webhooks[PIX_KEY];
    const order = orderOf(CODE);
    expect(await portOf(bank, 'payouts').send(order)).toMatchObject({
      outcome: 'FAILED',
      reason: expect.stringContaining('não tem webhook'),
    });
    psp.bank.state.webhooks[PIX_KEY] = { key: PIX_KEY, url: '', createdAt: '', withoutCertificate: true };
    expect(atBank(order)).toBeUndefined();
  });
});

describe('an application without the scope that pays codes', () => {
  it('names a missing scope, and fails unless an earlier order may have succeeded', async () => {
    const { bank: withoutScope } = await open({ withheldScopes: ['gn.qrcodes.pay'] });
    expect(await withoutScope.missingPermissions?.()).toEqual(['gn.qrcodes.pay']);
    const order = orderOf(CODE);
    expect(await portOf(withoutScope, 'payouts').send(order)).toMatchObject({
      outcome: 'FAILED',
      reason: expect.stringContaining('gn.qrcodes.pay'),
    });
    const repeated = portOf(withoutScope, 'payouts').send({ ...order, mayHaveBeenOrdered: true });
    expect(await repeated).toMatchObject({
      outcome: 'REFUSED_IN_DOUBT',
      reason: expect.stringContaining('gn.qrcodes.pay'),
    });
    const toKey = orderOf(ANA);
    await eventually(async () =>
      expect(await portOf(withoutScope, 'payouts').send(toKey)).toMatchObject({ outcome: 'COMPLETE' }),
    );
    expect(await bank.missingPermissions?.()).toEqual([]);
  });
});

describe('differences between banks in paid codes', () => {
  it('reads either name of the end-to-end id', () => {
    const answer = { idEnvio: 'tran1', valor: '7.00', status: 'REALIZADO' };
    expect(readTransfer({ ...answer, e2eId: 'E1' })).toMatchObject({ endToEndId: 'E1', valor: 700 });
    expect(readTransfer({ ...answer, endToEndId: 'E2' })).toMatchObject({ endToEndId: 'E2' });
  });

  it('reads the txid of a listed transfer only if it is a valid txid', () => {
    const item = {
      endToEndId: 'E2',
      idEnvio: 'pedido1',
      valor: '7.00',
      status: 'REALIZADO',
      horario: { solicitacao: '2026-11-24T11:00:00Z' },
      favorecido: { chave: ANA.key },
    };
    const shown = [TXID, '***', '', 7, undefined].map((txid) => ({ ...item, txid }));
    const { items, unreadableIds } = readListedTransfers(shown);
    expect(items.map(({ payeeTxid }) => payeeTxid)).toEqual([TXID, null, null, null, null]);
    expect(unreadableIds).toEqual([]);
  });

  it("treats the sandbox's 500 for disabled payment of codes as a refusal", () => {
    const answerOf = (detail: string) =>
      bankErrorOf('PUT', {
        status: 500,
        headers: {},
        body: JSON.stringify({ title: 'Erro Interno', detail }),
      });
    expect(answerOf('Funcionalidade desabilitada em ambiente de homologação.').refusal).toContain(
      'desabilitada',
    );
    expect(answerOf('Erro interno do servidor.').refusal).toBeNull();
  });
});
