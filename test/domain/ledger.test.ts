import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  disputeLostAmounts,
  disputeOpenedAmounts,
  disputeWonAmounts,
  type LedgerAmounts,
  netCentsOf,
  paymentAmounts,
  payoutCompletedAmounts,
  payoutFailedAmounts,
  payoutReservedAmounts,
  refundCompletedAmounts,
  refundFailedAmounts,
  refundReservedAmounts,
  returnReservedAmounts,
  returnSettledAmounts,
  type SentMoney,
  settlementAmounts,
  type TakenMoney,
} from '../../src/domain/ledger.ts';
import { MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';

const cents = fc.integer({ min: 1, max: MAX_AMOUNT_CENTS });
const fee = fc.integer({ min: 0, max: 400_000_000 });
const taken: fc.Arbitrary<TakenMoney> = fc.record({
  paidCents: cents,
  feeCents: fee,
  isSettled: fc.boolean(),
});
const sent: fc.Arbitrary<SentMoney> = fc.record({ amountCents: cents, feeCents: fee });

const OF_PAYMENTS = {
  paymentAmounts,
  settlementAmounts,
  refundReservedAmounts,
  refundCompletedAmounts,
  refundFailedAmounts,
  disputeOpenedAmounts,
  disputeWonAmounts,
  disputeLostAmounts,
};
const OF_PAYOUTS = { payoutReservedAmounts, payoutCompletedAmounts, payoutFailedAmounts };

const PIX: TakenMoney = { paidCents: 10_000, feeCents: 80, isSettled: true };
const CARD: TakenMoney = { paidCents: 10_000, feeCents: 410, isSettled: false };

/** All accounts after these movements, without those that hold nothing. */
function accountsAfter(...movements: LedgerAmounts[]): Partial<LedgerAmounts> {
  const sums: Record<string, number> = {};
  for (const movement of movements)
    for (const [account, amount] of Object.entries(movement)) sums[account] = (sums[account] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

function expectBalanced(movement: LedgerAmounts): void {
  const { clearingCents, ...held } = movement;
  const heldCents = Object.values(held).reduce((sum, amount) => sum + amount, 0);
  expect(heldCents).toBe(clearingCents);
}

describe('movements of any amount and fee', () => {
  it.each(Object.entries(OF_PAYMENTS))('balances the movement %s of a payment', (_, amountsOf) => {
    fc.assert(fc.property(taken, (money) => expectBalanced(amountsOf(money))));
  });

  it.each(Object.entries(OF_PAYOUTS))('balances the movement %s of a payout', (_, amountsOf) => {
    fc.assert(fc.property(sent, (money) => expectBalanced(amountsOf(money))));
  });
});

describe('a payment', () => {
  it('credits a PIX payment to the store at once, and its fee to the platform', () => {
    expect(accountsAfter(paymentAmounts(PIX))).toEqual({
      clearingCents: 10_000,
      availableCents: 9_920,
      platformFeesCents: 80,
    });
  });

  it('keeps a card payment pending until it settles, then makes it available', () => {
    const paid = paymentAmounts(CARD);
    expect(accountsAfter(paid)).toMatchObject({ pendingCents: 9_590, platformFeesCents: 410 });
    expect(accountsAfter(paid, settlementAmounts(CARD))).toEqual({
      clearingCents: 10_000,
      availableCents: 9_590,
      platformFeesCents: 410,
    });
  });

  it('charges the store the rest of a fee that exceeds its payment', () => {
    const tiny = { paidCents: 1, feeCents: 80, isSettled: true };
    expect(netCentsOf(tiny)).toBe(-79);
    expect(accountsAfter(paymentAmounts(tiny))).toEqual({
      clearingCents: 1,
      availableCents: -79,
      platformFeesCents: 80,
    });
  });
});

describe('refunds and disputes', () => {
  it('reserves refunds and disputes in full, settled or not', () => {
    for (const money of [PIX, CARD]) {
      expect(accountsAfter(paymentAmounts(money), refundReservedAmounts(money))).toEqual({
        clearingCents: 10_000,
        outgoingCents: 10_000,
      });
      expect(accountsAfter(paymentAmounts(money), disputeOpenedAmounts(money))).toEqual({
        clearingCents: 10_000,
        blockedCents: 10_000,
      });
    }
  });

  it('sums to zero for a payment and its refund or lost dispute', () => {
    fc.assert(
      fc.property(taken, (money) => {
        const paid = paymentAmounts(money);
        expect(accountsAfter(paid, refundReservedAmounts(money), refundCompletedAmounts(money))).toEqual({});
        expect(accountsAfter(paid, disputeOpenedAmounts(money), disputeLostAmounts(money))).toEqual({});
      }),
    );
  });

  it('restores every balance if the provider refuses or the store wins', () => {
    fc.assert(
      fc.property(taken, (money) => {
        expect(accountsAfter(refundReservedAmounts(money), refundFailedAmounts(money))).toEqual({});
        expect(accountsAfter(disputeOpenedAmounts(money), disputeWonAmounts(money))).toEqual({});
      }),
    );
  });

  it('makes money available if it settled while it was reserved or blocked', () => {
    fc.assert(
      fc.property(cents, fee, (paidCents, feeCents) => {
        const pending = { paidCents, feeCents, isSettled: false };
        const settled = { ...pending, isSettled: true };
        const expected = accountsAfter(paymentAmounts(pending), settlementAmounts(pending));
        const paid = paymentAmounts(pending);
        expect(accountsAfter(paid, refundReservedAmounts(pending), refundFailedAmounts(settled))).toEqual(
          expected,
        );
        expect(accountsAfter(paid, disputeOpenedAmounts(pending), disputeWonAmounts(settled))).toEqual(
          expected,
        );
      }),
    );
  });
});

describe('payments to return', () => {
  it("keeps money in suspense until its payer has it, never in the store's balance", () => {
    fc.assert(
      fc.property(cents, (paidCents) => {
        const reserved = returnReservedAmounts(paidCents);
        expect(accountsAfter(reserved)).toEqual({ clearingCents: paidCents, suspenseCents: paidCents });
        expect(accountsAfter(reserved, returnSettledAmounts(paidCents))).toEqual({});
      }),
    );
  });
});

describe('payouts', () => {
  it('reserves a payout and its fee as soon as it is requested', () => {
    expect(accountsAfter(payoutReservedAmounts({ amountCents: 500, feeCents: 20 }))).toEqual({
      availableCents: -520,
      outgoingCents: 500,
      platformFeesCents: 20,
    });
  });

  it('removes a completed payout from clearing and keeps its fee', () => {
    const money = { amountCents: 500, feeCents: 20 };
    expect(accountsAfter(payoutReservedAmounts(money), payoutCompletedAmounts(money))).toEqual({
      clearingCents: -500,
      availableCents: -520,
      platformFeesCents: 20,
    });
  });

  it('restores a failed payout and its fee to the store', () => {
    fc.assert(
      fc.property(sent, (money) => {
        expect(accountsAfter(payoutReservedAmounts(money), payoutFailedAmounts(money))).toEqual({});
      }),
    );
  });
});
