import { expect } from '@jest/globals';
import { type Examples, newTxid, PIX_SENT, paid } from './example.ts';

/** Faults of look-ups and lists, and of what charges show. */
export const READS: Examples<
  | 'LOOKUPS_LAG'
  | 'LISTINGS_LAG'
  | 'LISTINGS_REPEAT'
  | 'LISTINGS_OMIT'
  | 'MALFORMED_ITEMS'
  | 'UNKNOWN_STATUS'
  | 'CONCLUDED_WITHOUT_PIX'
> = {
  LOOKUPS_LAG: {
    title: 'answers 404, or with an earlier state, until the time has passed',
    async shows({ psp, client }) {
      const txid = newTxid();
      await client.issue(txid);
      psp.bank.state.clockAheadMs += 60_000;
      const { endToEndId } = psp.bank.pay(txid);
      psp.bank.send(txid, PIX_SENT);
      psp.faults.order({ fault: { kind: 'LOOKUPS_LAG', seconds: 30 }, times: 'ALWAYS' });
      const refund = `/v2/pix/${endToEndId}/devolucao/R1`;
      await client.ask('PUT', refund, { valor: '1.00' });
      const unknown = [`/v2/pix/${endToEndId}`, refund, `/v2/gn/pix/enviados/id-envio/${txid}`];
      for (const path of unknown) expect(await client.ask('GET', path)).toMatchObject({ status: 404 });
      const charge = () => client.ask('GET', `/v2/cob/${txid}`);
      expect(await charge()).toMatchObject({ body: { status: 'ATIVA' } });
      expect((await charge()).body).not.toHaveProperty('pix');

      psp.bank.state.clockAheadMs += 31_000;
      for (const path of unknown) expect(await client.ask('GET', path)).toMatchObject({ status: 200 });
      expect(await charge()).toMatchObject({ body: { status: 'CONCLUIDA', pix: [{ endToEndId }] } });
    },
  },
  LISTINGS_LAG: {
    title: 'leaves out what happened less than so long ago',
    async shows({ psp, client }) {
      const { endToEndId } = await paid({ psp, client });
      psp.faults.order({ fault: { kind: 'LISTINGS_LAG', seconds: 30 }, times: 'ALWAYS' });
      expect(await client.listPayments()).not.toContainEqual(expect.objectContaining({ endToEndId }));
      psp.bank.state.clockAheadMs += 31_000;
      expect(await client.listPayments()).toContainEqual(expect.objectContaining({ endToEndId }));
    },
  },
  LISTINGS_REPEAT: {
    title: 'names each item twice',
    async shows({ psp, client }) {
      const { endToEndId } = await paid({ psp, client });
      psp.faults.order({ fault: { kind: 'LISTINGS_REPEAT' }, on: 'GET pixs' });
      const named = await client.listPayments();
      expect(named.filter((item) => JSON.stringify(item).includes(endToEndId))).toHaveLength(2);
    },
  },
  LISTINGS_OMIT: {
    title: 'leaves out a part of the items, the same part for the same seed',
    async shows({ psp, client }) {
      for (let count = 0; count < 20; count += 1) await paid({ psp, client });
      const all = await client.listPayments();
      const rule = { fault: { kind: 'LISTINGS_OMIT', part: 0.5 }, on: 'GET pixs' } as const;
      psp.faults.order(rule);
      const some = await client.listPayments();
      expect(some.length).toBeGreaterThan(0);
      expect(some.length).toBeLessThan(all.length);
      expect(all).toEqual(expect.arrayContaining([...some]));
    },
  },
  MALFORMED_ITEMS: {
    title: 'shows items with a wrong amount, without an id, or as null',
    async shows({ psp, client }) {
      for (let count = 0; count < 3; count += 1) await paid({ psp, client });
      psp.faults.order({ fault: { kind: 'MALFORMED_ITEMS' }, on: 'GET pixs' });
      const items = await client.listPayments();
      expect(items).toContain(null);
      expect(items).toContainEqual(expect.objectContaining({ valor: 'dez reais' }));
      expect(items).toContainEqual(expect.not.objectContaining({ endToEndId: expect.anything() }));
    },
  },
  UNKNOWN_STATUS: {
    title: 'shows a charge in a status that nobody knows',
    async shows({ psp, client }) {
      const txid = newTxid();
      await client.issue(txid);
      psp.faults.order({ fault: { kind: 'UNKNOWN_STATUS', value: 'AGENDADA' }, on: 'GET cob' });
      expect(await client.ask('GET', `/v2/cob/${txid}`)).toMatchObject({ body: { status: 'AGENDADA' } });
    },
  },
  CONCLUDED_WITHOUT_PIX: {
    title: 'shows a paid charge without its payment',
    async shows({ psp, client }) {
      const { txid } = await paid({ psp, client });
      psp.faults.order({ fault: { kind: 'CONCLUDED_WITHOUT_PIX' }, on: 'GET cob' });
      const { body } = await client.ask('GET', `/v2/cob/${txid}`);
      expect(body).toMatchObject({ status: 'CONCLUIDA' });
      expect(body).not.toHaveProperty('pix');
    },
  },
};
