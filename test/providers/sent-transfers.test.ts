import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PIX_KEY, type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import type { PayoutId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import { readListedTransfers } from '../../src/providers/bacen/wire-transfer.ts';
import { listedPayoutsOf, pagesOfTransfers } from '../../src/providers/pages-of-transfers.ts';
import type { SentTransfer } from '../../src/providers/ports/payouts.ts';
import { portOf } from '../../src/providers/provider.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** As Efí lists one; an id of another program. */
const ITEM = {
  endToEndId: 'E2',
  idEnvio: 'pedido1',
  valor: '7.00',
  chave: PIX_KEY,
  status: 'REALIZADO',
  horario: { solicitacao: '2026-11-24T11:00:00Z' },
  favorecido: { chave: 'ana@example.com' },
};

let psp: Psp;
let bank: BacenProvider;
const from = new Date(Date.now() - 60_000);
beforeAll(async () => {
  psp = await startPsp({ profile: 'efi' });
  const { profile, settings, secrets } = psp.account;
  bank = createBacenProvider(readBacenAccount({ id: 'acct_1', profile, settings, secrets }));
  // The bank sends money only from a key with a webhook.
  psp.bank.state.webhooks[PIX_KEY] = { key: PIX_KEY, url: '', createdAt: '', withoutCertificate: true };
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  await bank.disconnect();
  await psp.close();
});

async function sent(amountCents = 700) {
  const reference = mintId<PayoutId>('payout', new Date());
  const destination = { type: 'EMAIL', key: 'ana@example.com' } as const;
  const order = { reference, amountCents, destination, now: new Date() };
  await eventually(async () =>
    expect(await portOf(bank, 'payouts').send(order)).toMatchObject({ outcome: 'COMPLETE' }),
  );
  return { ...order, idEnvio: reference.replace('_', '') };
}

function listedPayouts() {
  const payouts = listedPayoutsOf(bank);
  if (payouts === null) throw new Error('the bank lists nothing');
  return payouts;
}

async function listed() {
  const found: SentTransfer[] = [];
  const unreadable: string[] = [];
  const until = new Date(Date.now() + 60_000);
  for await (const { items, unreadableIds = [] } of pagesOfTransfers(listedPayouts(), { from, until })) {
    found.push(...items);
    unreadable.push(...unreadableIds);
  }
  return { found, unreadable, of: (id: string) => found.filter(({ reference }) => reference === id) };
}

describe('sent Pix of a bank', () => {
  it('lists transfers with their returned parts', async () => {
    const { reference, idEnvio } = await sent();
    psp.bank.returnTransfer(idEnvio, 300);
    psp.bank.returnTransfer(idEnvio, 400);
    const [transfer] = (await listed()).of(reference);
    expect(transfer).toMatchObject({ status: 'COMPLETE', amountCents: 700 });
    expect(transfer?.returns.map(({ amountCents }) => amountCents)).toEqual([300, 400]);
    expect(new Set(transfer?.returns.map(({ providerReturnId }) => providerReturnId)).size).toBe(2);
  });

  it('returns what came back when a transfer is looked up', async () => {
    const { idEnvio, ...order } = await sent();
    const { rtrId } = psp.bank.returnTransfer(idEnvio);
    expect(await portOf(bank, 'payouts').send(order)).toMatchObject({
      outcome: 'COMPLETE',
      returns: [{ providerReturnId: rtrId, amountCents: 700 }],
    });
  });

  it('names malformed transfers and reads the others', () => {
    const { items, unreadableIds } = readListedTransfers([
      { ...ITEM, valor: 'dez reais', endToEndId: 'E1' },
      { ...ITEM, endToEndId: undefined },
      null,
      ITEM,
    ]);
    expect(items.map(({ endToEndIdentifier }) => endToEndIdentifier)).toEqual(['E2']);
    const digest = expect.stringMatching(/^sha256-/);
    expect(unreadableIds).toEqual(['E1', digest, digest]);
  });

  it('names malformed returns of a transfer and reads the others', () => {
    const good = { rtrId: 'D1', valor: '1.00', horario: '2026-11-24T12:00:00Z' };
    const devolucoes = [
      good,
      { ...good, rtrId: 'D2', valor: '0.00' },
      { ...good, rtrId: 'D3', horario: 'ontem' },
    ];
    expect(readListedTransfers([{ ...ITEM, devolucoes }]).items).toMatchObject([
      { returns: [{ providerReturnId: 'D1', amountCents: 100 }], unreadableReturnIds: ['D2', 'D3'] },
    ]);
  });

  it('counts only completed returns if the bank names their status', () => {
    const horario = { solicitacao: '2026-11-24T12:00:00Z', liquidacao: '2026-11-24T12:00:05Z' };
    const back = { rtrId: 'D1', valor: '1.00', horario, status: 'DEVOLVIDO' };
    const devolucoes = [back, { ...back, rtrId: 'D2', status: 'EM_PROCESSAMENTO' }];
    expect(readListedTransfers([{ ...ITEM, devolucoes }]).items).toMatchObject([
      { returns: [{ providerReturnId: 'D1', returnedAt: new Date(horario.liquidacao) }] },
    ]);
  });

  it('lists transfers that another program ordered', async () => {
    const { endToEndId } = psp.bank.send('app0001', {
      valor: '9.00',
      pagador: { chave: PIX_KEY },
      favorecido: { chave: 'ana@example.com' },
    });
    expect((await listed()).of('app0001')).toMatchObject([
      { endToEndIdentifier: endToEndId, amountCents: 900, status: 'PENDING' },
    ]);
  });
});
