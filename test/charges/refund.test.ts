import { describe, expect, it } from '@jest/globals';
import { METHODS } from '../../src/charges/methods/index.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import { type RefundRefusal, refundRefusalOf } from '../../src/domain/reversal.ts';

const STATUSES: readonly ChargeStatus[] = [
  'PENDING',
  'PAID',
  'EXPIRED',
  'CANCELLED',
  'UNDER_DISPUTE',
  'REFUNDED',
  'FAILED',
];

const EXPECTED: Readonly<Record<ChargeStatus, RefundRefusal | null>> = {
  PENDING: 'TRANSACTION_NOT_REFUNDABLE',
  PAID: null,
  EXPIRED: 'TRANSACTION_NOT_REFUNDABLE',
  CANCELLED: 'TRANSACTION_NOT_REFUNDABLE',
  UNDER_DISPUTE: 'TRANSACTION_UNDER_DISPUTE',
  REFUNDED: 'TRANSACTION_NOT_REFUNDABLE',
  FAILED: 'TRANSACTION_NOT_REFUNDABLE',
};

describe('a refund', () => {
  it.each(STATUSES)('checks the status before refunding a PIX or card charge that is %s', (status) => {
    for (const method of ['PIX', 'CARD'] as const)
      expect(refundRefusalOf(status, METHODS[method].refundRefusal)).toBe(EXPECTED[status]);
  });

  it.each(STATUSES)('refuses to refund a boleto, also one that is %s', (status) => {
    expect(refundRefusalOf(status, METHODS.BOLETO.refundRefusal)).toBe('INVALID_METHOD');
  });

  it('refuses to refund a free payment', () => {
    expect(refundRefusalOf('PAID', METHODS.FREE.refundRefusal)).toBe('TRANSACTION_NOT_REFUNDABLE');
  });
});
