import { expect } from '@jest/globals';
import { type Examples, newTxid, PIX_SENT, paid } from './example.ts';

/** Faults that can happen to any request. */
export const REQUESTS: Examples<
  | 'DELAY'
  | 'DROP_BEFORE_EFFECT'
  | 'DROP_AFTER_EFFECT'
  | 'HANG_BEFORE_EFFECT'
  | 'HANG_AFTER_EFFECT'
  | 'STATUS'
  | 'EXPIRE_TOKENS'
  | 'MALFORMED_ANSWER'
  | 'REFUSE_DUPLICATES'
> = {
  DELAY: {
    title: 'answers later',
    async shows({ psp, client }) {
      await client.askForToken();
      psp.faults.order({ fault: { kind: 'DELAY', ms: 120 }, on: 'PUT cob' });
      const startedMs = performance.now();
      expect(await client.issue(newTxid())).toMatchObject({ status: 201 });
      expect(performance.now() - startedMs).toBeGreaterThan(115);
    },
  },
  DROP_BEFORE_EFFECT: {
    title: 'breaks the connection and does nothing',
    async shows({ psp, client }) {
      const txid = newTxid();
      psp.faults.order({ fault: { kind: 'DROP_BEFORE_EFFECT' }, on: 'PUT cob' });
      expect(await client.issue(txid)).toMatchObject({ ended: 'CUT' });
      expect(await client.ask('GET', `/v2/cob/${txid}`)).toMatchObject({ status: 404 });
      psp.faults.order({ fault: { kind: 'DROP_BEFORE_EFFECT' }, on: 'POST token' });
      const before = psp.tokens.givenCount;
      expect(await client.askForToken()).toMatchObject({ ended: 'CUT' });
      expect(psp.tokens.givenCount).toBe(before);
    },
  },
  DROP_AFTER_EFFECT: {
    title: 'has the effect and breaks the connection',
    async shows({ psp, client }) {
      const txid = newTxid();
      psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'PUT cob' });
      expect(await client.issue(txid)).toMatchObject({ ended: 'CUT' });
      expect(await client.ask('GET', `/v2/cob/${txid}`)).toMatchObject({ status: 200 });
    },
  },
  HANG_BEFORE_EFFECT: {
    title: 'never answers and does nothing',
    async shows({ psp, client }) {
      const txid = newTxid();
      psp.faults.order({ fault: { kind: 'HANG_BEFORE_EFFECT' }, on: 'PUT cob' });
      expect(await client.issue(txid)).toMatchObject({ ended: 'HUNG' });
      expect(psp.bank.state.charges[txid]).toBeUndefined();
    },
  },
  HANG_AFTER_EFFECT: {
    title: 'has the effect and never answers',
    async shows({ psp, client }) {
      const txid = newTxid();
      psp.faults.order({ fault: { kind: 'HANG_AFTER_EFFECT' }, on: 'PUT cob' });
      expect(await client.issue(txid)).toMatchObject({ ended: 'HUNG' });
      expect(psp.bank.state.charges[txid]?.status).toBe('ATIVA');
    },
  },
  STATUS: {
    title: 'answers 429 with Retry-After once, or 503 until its time has passed',
    async shows({ psp, client }) {
      const txid = newTxid();
      psp.faults.order({ fault: { kind: 'STATUS', status: 429, retryAfterSeconds: 7 }, on: 'PUT cob' });
      expect(await client.issue(txid)).toMatchObject({ status: 429, retryAfter: '7' });
      psp.faults.order({
        fault: { kind: 'STATUS', status: 503 },
        on: ['PUT cob', 'GET cob'],
        forSeconds: 60,
      });
      for (let asked = 0; asked < 5; asked += 1)
        expect(await client.issue(txid)).toMatchObject({ status: 503, retryAfter: null });
      expect(psp.bank.state.charges[txid]).toBeUndefined();
      psp.bank.state.clockAheadMs += 61_000;
      expect(await client.issue(txid)).toMatchObject({ status: 201 });
    },
  },
  EXPIRE_TOKENS: {
    title: 'answers 401 until a new token is asked for',
    async shows({ psp, client }) {
      const txid = newTxid();
      await client.askForToken();
      psp.faults.order({ fault: { kind: 'EXPIRE_TOKENS' }, on: 'PUT cob' });
      expect(await client.issue(txid)).toMatchObject({ status: 401 });
      await client.askForToken();
      expect(await client.issue(txid)).toMatchObject({ status: 201 });
    },
  },
  MALFORMED_ANSWER: {
    title: 'has the effect and answers half an object',
    async shows({ psp, client }) {
      const txid = newTxid();
      psp.faults.order({ fault: { kind: 'MALFORMED_ANSWER' }, on: 'PUT cob' });
      expect(await client.issue(txid)).toMatchObject({ status: 201, body: expect.any(String) });
      expect(await client.ask('GET', `/v2/cob/${txid}`)).toMatchObject({ body: { txid } });
    },
  },
  REFUSE_DUPLICATES: {
    title: 'refuses a charge, refund or transfer that is there with 400 or 409',
    async shows({ psp, client }) {
      const { txid, endToEndId } = await paid({ psp, client });
      const refund = `/v2/pix/${endToEndId}/devolucao/R1`;
      const transfer = `/v3/gn/pix/${txid}`;
      psp.bank.state.webhooks[PIX_SENT.pagador.chave] ??= {
        key: PIX_SENT.pagador.chave,
        url: 'http://localhost:9',
        createdAt: '',
        withoutCertificate: true,
      };
      for (const status of [400, 409] as const) {
        psp.faults.clear();
        psp.faults.order({ fault: { kind: 'REFUSE_DUPLICATES', status }, times: 'ALWAYS' });
        if (status === 400) {
          expect(await client.ask('PUT', refund, { valor: '1.00' })).toMatchObject({ status: 201 });
          expect(await client.ask('PUT', transfer, PIX_SENT)).toMatchObject({ status: 201 });
        }
        expect(await client.issue(txid)).toMatchObject({
          status,
          body: { violacoes: [{ propriedade: 'txid' }] },
        });
        expect(await client.ask('PUT', refund, { valor: '1.00' })).toMatchObject({ status });
        expect(await client.ask('PUT', transfer, PIX_SENT)).toMatchObject({
          status,
          body: { nome: 'id_envio_duplicado' },
        });
      }
      expect(psp.bank.findPayment(endToEndId).refunds).toHaveLength(1);
    },
  },
};
