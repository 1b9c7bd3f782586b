import { beforeEach, describe, expect, it } from '@jest/globals';
import { Bank } from '../../scripts/psp/bank.ts';
import { emptyState } from '../../scripts/psp/state.ts';
import { AMOUNT_ELEMENT, changedCode, payeeCode } from '../support/outside/payee-codes.ts';

const FROM = 'caixa@loja.example';
const ORDER = { valor: '7.00', pagador: { chave: FROM }, favorecido: { chave: 'ana@example.com' } };

let bank: Bank;
beforeEach(() => {
  bank = new Bank({ state: emptyState(), keys: [FROM], notify: () => {}, transfersByAmount: false });
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

  it('carries the txid of a BR Code, and shares its id with transfers to keys', () => {
    const order = { pagador: ORDER.pagador, pixCopiaECola: payeeCode() };
    expect(bank.sendByCode('tran1', order)).toMatchObject({ txid: 'PEDIDO1042', amountCents: 700 });
    const refused = expect.objectContaining({ status: 409 });
    expect(() => bank.send('tran1', ORDER)).toThrow(refused);
    bank.send('tran2', ORDER);
    expect(() => bank.sendByCode('tran2', order)).toThrow(refused);
  });

  it.each([
    ['names no amount', changedCode(payeeCode(), AMOUNT_ELEMENT, '')],
    ['is damaged', payeeCode().replace('7.00', '8.00')],
  ])('refuses a BR Code that %s', (_, pixCopiaECola) => {
    const order = { pagador: ORDER.pagador, pixCopiaECola };
    expect(() => bank.sendByCode('tran1', order)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it('accepts returns in parts up to the amount that was sent', () => {
    sent('tran1');
    bank.returnTransfer('tran1', 300);
    expect(() => bank.returnTransfer('tran1', 401)).toThrow('less than that left');
    bank.returnTransfer('tran1');
    expect(bank.findTransfer('tran1').returns).toMatchObject([{ amountCents: 300 }, { amountCents: 400 }]);
    expect(() => bank.returnTransfer('tran1')).toThrow('less than that left');
  });

  it('refuses a return before it has arrived', () => {
    bank.send('tran1', ORDER);
    expect(() => bank.returnTransfer('tran1')).toThrow('EM_PROCESSAMENTO');
  });
});
