import { describe, expect, it } from '@jest/globals';
import { payeeKeyOf } from '../../src/domain/payee.ts';
import { approvalNeededBy } from '../../src/domain/payout-approval.ts';
import { isWeaker, NO_PAYOUT_CONTROLS, type PayoutControls } from '../../src/domain/payout-controls.ts';
import { buildBrCode } from '../../src/domain/pix.ts';

const ALL: PayoutControls = {
  maxPayoutCents: 100,
  maxDayCents: 100,
  maxPayeeDayCents: 100,
  approvalAboveCents: 100,
  newPayeeWaitHours: 24,
  newMemberWaitHours: 24,
  requiresSecondFactor: true,
};

describe('a change of controls', () => {
  it.each<[Partial<PayoutControls>]>([
    [{ maxPayoutCents: 101 }],
    [{ maxDayCents: null }],
    [{ maxPayeeDayCents: 101 }],
    [{ approvalAboveCents: null }],
    [{ newPayeeWaitHours: 23 }],
    [{ newPayeeWaitHours: null }],
    [{ newMemberWaitHours: 23 }],
    [{ newMemberWaitHours: null }],
    [{ requiresSecondFactor: false }],
    [{ maxPayoutCents: 1, newPayeeWaitHours: null }],
  ])('weakens them, and its opposite alone does not: %j', (change) => {
    expect(isWeaker(ALL, { ...ALL, ...change })).toBe(true);
    const isMixed = Object.keys(change).length > 1;
    expect(isWeaker({ ...ALL, ...change }, ALL)).toBe(isMixed);
  });

  it('treats unchanged or newly enabled controls as no weaker', () => {
    expect([isWeaker(ALL, ALL), isWeaker(NO_PAYOUT_CONTROLS, ALL)]).toEqual([false, false]);
    expect(isWeaker(ALL, NO_PAYOUT_CONTROLS)).toBe(true);
  });
});

it('needs no approval at the amount itself', () => {
  const payout = { isToNewPayee: false, createdAt: new Date() };
  expect(approvalNeededBy(ALL, { ...payout, amountCents: 100 })).toBeNull();
  expect(approvalNeededBy(ALL, { ...payout, amountCents: 101 })?.reasons).toEqual(['AMOUNT']);
});

describe('the payee of a BR Code', () => {
  it.each([
    ['52998224725', '52998224725'],
    ['+5511912345678', '+5511912345678'],
    ['Ana@Example.com', 'ana@example.com'],
    ['2F9C1B7E-5A34-4D0F-9B1E-7C6A8D3E4F50', '2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50'],
    ['12ABC34501DE35', '12ABC34501DE35'],
  ])('returns the key inside a code as the directory stores it: %s', (inside, payee) => {
    const content = { key: inside, merchantName: 'Ana', merchantCity: 'Recife', amountCents: 1, txid: 'A1' };
    expect(payeeKeyOf({ type: 'BR_CODE', key: buildBrCode(content) })).toBe(payee);
  });
});
