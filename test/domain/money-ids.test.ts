import { describe, expect, it } from '@jest/globals';
import type { ChargeId, StoreId } from '../../src/domain/ids.ts';
import { payoutIdOf, type RefundRequest, refundIdOf, returnedPaymentIdOf } from '../../src/ids.ts';
import { bankIdOf, referenceOfId } from '../../src/providers/bacen/ids.ts';

const payout = {
  storeId: 'store_1' as StoreId,
  devMode: false,
  kind: 'PAYOUT',
  externalId: 'week-47',
} as const;
const charge = { id: 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD' as ChargeId };
const payment = { providerPaymentId: 'E1', paidAt: new Date('2026-11-23T14:22:09Z') };

describe('ids that money is ordered with', () => {
  it('derives the same id from the same request', () => {
    expect(payoutIdOf({ ...payout })).toBe(payoutIdOf({ ...payout }));
    expect(refundIdOf(charge, { kind: 'REST' }, 0)).toBe(refundIdOf({ ...charge }, { kind: 'REST' }, 0));
    expect(returnedPaymentIdOf('pacc_1', payment)).toBe(returnedPaymentIdOf('pacc_1', { ...payment }));
  });

  it('depends only on the charge’s id, since a rebuilt charge has a new creation time', () => {
    const rebuilt = { ...charge, createdAt: new Date('2026-11-23T14:22:08.999Z') };
    expect(refundIdOf(rebuilt, { kind: 'REST' }, 0)).toBe(refundIdOf(charge, { kind: 'REST' }, 0));
    expect(refundIdOf(charge, { kind: 'REST' }, 0).slice(-26, -16)).toBe('01KAK0Y3PQ');
  });

  it('derives different ids for other stores, environments, kinds and external ids', () => {
    const others = [
      { ...payout, storeId: 'store_2' as StoreId },
      { ...payout, devMode: true },
      { ...payout, kind: 'TRANSFER' as const },
      { ...payout, externalId: 'week-48' },
    ];
    expect(new Set([payout, ...others].map(payoutIdOf)).size).toBe(5);
  });

  it('differs between refunds by charge, content, key and count', () => {
    const requestsOf = ({ id }: { readonly id: ChargeId }): RefundRequest[] => [
      { kind: 'REST' },
      { kind: 'PART', amountCents: 100 },
      { kind: 'PART', amountCents: 1_000 },
      { kind: 'KEYED_PART', seed: `${id} key 1` },
      { kind: 'KEYED_PART', seed: `${id} key 2` },
    ];
    const other = { ...charge, id: 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHME' as ChargeId };
    const ids = [charge, other].flatMap((of) =>
      requestsOf(of).flatMap((request) => [0, 1].map((nth) => refundIdOf(of, request, nth))),
    );
    expect(new Set(ids).size).toBe(20);
  });

  it('derives ids in the usual shape, so that the bank’s ids map to them', () => {
    for (const id of [payoutIdOf(payout), refundIdOf(charge, { kind: 'REST' }, 0)]) {
      expect(id).toMatch(/^tran_[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(bankIdOf(id)).toMatch(/^[a-zA-Z0-9]{1,35}$/);
      expect(referenceOfId(bankIdOf(id))).toBe(id);
    }
    const returned = returnedPaymentIdOf('pacc_1', payment);
    expect(referenceOfId(bankIdOf(returned))).toBe(returned);
  });
});
