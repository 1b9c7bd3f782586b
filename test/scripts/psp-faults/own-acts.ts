import { expect } from '@jest/globals';
import { eventually } from '../../support/waiting/eventually.ts';
import { type Examples, newTxid, PIX_SENT, paid } from './example.ts';

/** What becomes of charges, refunds, payments and transfers at the bank. */
export const OWN_ACTS: Examples<
  | 'SHORTEN_EXPIRY'
  | 'REMOVE_CHARGE'
  | 'PAID_WHILE_REMOVED'
  | 'REFUSE_REMOVAL'
  | 'REFUND_FAILS'
  | 'REFUND_HANGS'
  | 'TRANSFER_FAILS'
  | 'TRANSFER_COMES_BACK'
  | 'REFUND_AT_BANK'
  | 'MED_AT_BANK'
> = {
  SHORTEN_EXPIRY: {
    title: 'issues a code that dies sooner than was asked for',
    async shows({ psp, client }) {
      const txid = newTxid();
      psp.faults.order({ fault: { kind: 'SHORTEN_EXPIRY', seconds: 60 }, on: 'PUT cob' });
      const answer = await client.issue(txid, { seconds: 3_600 });
      expect(answer).toMatchObject({ status: 201, body: { calendario: { expiracao: 60 } } });
      psp.bank.state.clockAheadMs += 61_000;
      expect(() => psp.bank.pay(txid)).toThrow('expired');
    },
  },
  REMOVE_CHARGE: {
    title: 'removes the charge once its time has come',
    async shows({ psp, client }) {
      const txid = newTxid();
      psp.faults.order({ fault: { kind: 'REMOVE_CHARGE', afterSeconds: 60 }, on: 'PUT cob' });
      await client.issue(txid);
      const status = async () =>
        ((await client.ask('GET', `/v2/cob/${txid}`)).body as { status: string }).status;
      expect(await status()).toBe('ATIVA');
      psp.bank.state.clockAheadMs += 61_000;
      expect(await status()).toBe('REMOVIDA_PELO_PSP');
    },
  },
  PAID_WHILE_REMOVED: {
    title: 'answers that the charge is removed, and it is paid',
    async shows({ psp, client }) {
      const txid = newTxid();
      await client.issue(txid);
      psp.faults.order({ fault: { kind: 'PAID_WHILE_REMOVED' }, on: 'PATCH cob' });
      const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
      expect(await client.ask('PATCH', `/v2/cob/${txid}`, removal)).toMatchObject({ body: removal });
      expect(psp.bank.paymentsOf(txid)).toHaveLength(1);
    },
  },
  REFUSE_REMOVAL: {
    title: 'leaves an active charge as it is',
    async shows({ psp, client }) {
      const txid = newTxid();
      await client.issue(txid);
      psp.faults.order({ fault: { kind: 'REFUSE_REMOVAL' }, on: 'PATCH cob' });
      const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
      expect(await client.ask('PATCH', `/v2/cob/${txid}`, removal)).toMatchObject({ status: 400 });
      expect(psp.bank.state.charges[txid]?.status).toBe('ATIVA');
    },
  },
  REFUND_FAILS: {
    title: 'accepts the refund, which fails later',
    async shows({ psp, client }) {
      const { endToEndId } = await paid({ psp, client });
      const refund = `/v2/pix/${endToEndId}/devolucao/R1`;
      psp.faults.order({ fault: { kind: 'REFUND_FAILS' }, on: 'PUT refund' });
      expect(await client.ask('PUT', refund, { valor: '1.00' })).toMatchObject({
        status: 201,
        body: { status: 'EM_PROCESSAMENTO' },
      });
      expect(await client.ask('GET', refund)).toMatchObject({ body: { status: 'NAO_REALIZADO' } });
    },
  },
  REFUND_HANGS: {
    title: 'leaves the refund under way until it is settled',
    async shows({ psp, client }) {
      const { endToEndId } = await paid({ psp, client });
      const refund = `/v2/pix/${endToEndId}/devolucao/R1`;
      psp.faults.order({ fault: { kind: 'REFUND_HANGS' }, on: 'PUT refund' });
      await client.ask('PUT', refund, { valor: '1.00' });
      expect(await client.ask('GET', refund)).toMatchObject({ body: { status: 'EM_PROCESSAMENTO' } });
      await fetch(`${psp.adminUrl}/settle/${endToEndId}/R1`, { method: 'POST' });
      expect(await client.ask('GET', refund)).toMatchObject({ body: { status: 'DEVOLVIDO' } });
    },
  },
  TRANSFER_FAILS: {
    title: 'accepts the transfer, which fails later',
    async shows({ psp, client }) {
      psp.bank.state.webhooks[PIX_SENT.pagador.chave] ??= hook();
      const id = newTxid();
      psp.faults.order({ fault: { kind: 'TRANSFER_FAILS' }, on: 'PUT transfer' });
      expect(await client.ask('PUT', `/v3/gn/pix/${id}`, PIX_SENT)).toMatchObject({ status: 201 });
      expect(await client.ask('GET', `/v2/gn/pix/enviados/id-envio/${id}`)).toMatchObject({
        body: { status: 'NAO_REALIZADO' },
      });
    },
  },
  TRANSFER_COMES_BACK: {
    title: 'carries the transfer out, and a part of its money comes back',
    async shows({ psp, client }) {
      psp.bank.state.webhooks[PIX_SENT.pagador.chave] ??= hook();
      const id = newTxid();
      psp.faults.order({
        fault: { kind: 'TRANSFER_COMES_BACK', part: 0.4, afterSeconds: 60 },
        on: 'PUT transfer',
      });
      await client.ask('PUT', `/v3/gn/pix/${id}`, PIX_SENT);
      const shown = async () => (await client.ask('GET', `/v2/gn/pix/enviados/id-envio/${id}`)).body;
      expect(await shown()).toMatchObject({ status: 'REALIZADO' });
      expect(await shown()).not.toHaveProperty('devolucoes');
      psp.bank.state.clockAheadMs += 61_000;
      expect(await shown()).toMatchObject({ status: 'REALIZADO', devolucoes: [{ valor: '2.80' }] });
    },
  },
  REFUND_AT_BANK: {
    title: 'returns a part of a payment that nobody ordered back',
    async shows({ psp, client }) {
      psp.faults.order({ fault: { kind: 'REFUND_AT_BANK', part: 0.4 }, on: 'payment' });
      const { endToEndId } = await paid({ psp, client });
      await eventually(async () =>
        expect(await client.ask('GET', `/v2/pix/${endToEndId}`)).toMatchObject({
          body: { devolucoes: [{ valor: '4.00', status: 'DEVOLVIDO' }] },
        }),
      );
    },
  },
  MED_AT_BANK: {
    title: 'takes a payment back by MED, or leaves that under way',
    async shows({ psp, client }) {
      const natureza = 'MED_PIX_AUTOMATICO';
      psp.faults.order({ fault: { kind: 'MED_AT_BANK', natureza, underWay: true }, on: 'payment' });
      const { endToEndId } = await paid({ psp, client });
      await eventually(async () =>
        expect(await client.ask('GET', `/v2/pix/${endToEndId}`)).toMatchObject({
          body: { devolucoes: [{ valor: '10.00', natureza, status: 'EM_PROCESSAMENTO' }] },
        }),
      );
    },
  },
};

const hook = () => ({
  key: PIX_SENT.pagador.chave,
  url: 'http://localhost:9',
  createdAt: '',
  withoutCertificate: true,
});
