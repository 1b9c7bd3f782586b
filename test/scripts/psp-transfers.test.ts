import { beforeEach, describe, expect, it } from '@jest/globals';
import { Bank } from '../../scripts/psp/bank.ts';
import { emptyState } from '../../scripts/psp/state.ts';

const FROM = 'caixa@loja.example';
const ORDER = { valor: '7.00', pagador: { chave: FROM }, favorecido: { chave: 'ana@example.com' } };

let bank: Bank;
beforeEach(() => {
  bank = new Bank({ state: emptyState(), keys: [FROM], tell: () => {}, transfersByAmount: false });
  const webhook = { key: FROM, url: 'https://localhost', createdAt: '', withoutCertificate: true };
  bank.state.webhooks[FROM] = webhook;
});

function sent(id: string) {
  const transfer = bank.send(id, ORDER);
  bank.settleTransfer(transfer);
  return transfer;
}

describe('a transfer of the bank in a box', () => {
  it('refuses an id that was used before and keeps the first transfer', () => {
    const first = sent('tran1');
    expect(() => bank.send('tran1', { ...ORDER, valor: '9.00' })).toThrow(
      expect.objectContaining({ status: 409 }),
    );
    expect(bank.findTransfer('tran1')).toBe(first);
    expect(first).toMatchObject({ amountCents: 700, status: 'REALIZADO' });
  });

  it('comes back in parts, and never more than was sent', () => {
    sent('tran1');
    bank.returnTransfer('tran1', 300);
    expect(() => bank.returnTransfer('tran1', 401)).toThrow('less than that left');
    bank.returnTransfer('tran1');
    expect(bank.findTransfer('tran1').returns).toMatchObject([{ amountCents: 300 }, { amountCents: 400 }]);
    expect(() => bank.returnTransfer('tran1')).toThrow('less than that left');
  });

  it('does not come back before it has arrived', () => {
    bank.send('tran1', ORDER);
    expect(() => bank.returnTransfer('tran1')).toThrow('EM_PROCESSAMENTO');
  });
});
