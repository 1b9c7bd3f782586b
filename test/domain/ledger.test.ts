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

describe('every movement balances, to the cent and for any amount and fee:', () => {
  it.each(Object.entries(OF_PAYMENTS))('%s', (_, amountsOf) => {
    fc.assert(fc.property(taken, (money) => expectBalanced(amountsOf(money))));
  });

  it.each(Object.entries(OF_PAYOUTS))('%s', (_, amountsOf) => {
    fc.assert(fc.property(sent, (money) => expectBalanced(amountsOf(money))));
  });
});

describe('a payment', () => {
  it('by PIX gives the store its share at once, and the platform its fee', () => {
    expect(accountsAfter(paymentAmounts(PIX))).toEqual({
      clearingCents: 10_000,
      availableCents: 9_920,
      platformFeesCents: 80,
    });
  });

  it('by card is pending, and available once it has settled', () => {
    const paid = paymentAmounts(CARD);
    expect(accountsAfter(paid)).toMatchObject({ pendingCents: 9_590, platformFeesCents: 410 });
    expect(accountsAfter(paid, settlementAmounts(CARD))).toEqual({
      clearingCents: 10_000,
      availableCents: 9_590,
      platformFeesCents: 410,
    });
  });

  it('that is smaller than its fee takes the rest from the store', () => {
    const tiny = { paidCents: 1, feeCents: 80, isSettled: true };
    expect(netCentsOf(tiny)).toBe(-79);
    expect(accountsAfter(paymentAmounts(tiny))).toEqual({
      clearingCents: 1,
      availableCents: -79,
      platformFeesCents: 80,
    });
  });
});

describe('money that goes back', () => {
  it('is set aside in full, whether it had settled or not', () => {
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

  it('leaves nothing behind: a payment and its refund, or its lost dispute, sum to zero', () => {
    fc.assert(
      fc.property(taken, (money) => {
        const paid = paymentAmounts(money);
        expect(accountsAfter(paid, refundReservedAmounts(money), refundCompletedAmounts(money))).toEqual({});
        expect(accountsAfter(paid, disputeOpenedAmounts(money), disputeLostAmounts(money))).toEqual({});
      }),
    );
  });

  it('leaves everything as before where the provider refuses it, or the store wins', () => {
    fc.assert(
      fc.property(taken, (money) => {
        expect(accountsAfter(refundReservedAmounts(money), refundFailedAmounts(money))).toEqual({});
        expect(accountsAfter(disputeOpenedAmounts(money), disputeWonAmounts(money))).toEqual({});
      }),
    );
  });

  it('is available where its day came while it was set aside', () => {
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

describe('money that must go back', () => {
  it("is in suspense, never the store's, and leaves nothing behind once it is back with its payer", () => {
    fc.assert(
      fc.property(cents, (paidCents) => {
        const reserved = returnReservedAmounts(paidCents);
        expect(accountsAfter(reserved)).toEqual({ clearingCents: paidCents, suspenseCents: paidCents });
        expect(accountsAfter(reserved, returnSettledAmounts(paidCents))).toEqual({});
      }),
    );
  });
});

describe('money that is sent', () => {
  it('cannot be spent from the moment it is asked for', () => {
    expect(accountsAfter(payoutReservedAmounts({ amountCents: 500, feeCents: 20 }))).toEqual({
      availableCents: -520,
      outgoingCents: 500,
      platformFeesCents: 20,
    });
  });

  it('has left, with its fee kept, once it has arrived', () => {
    const money = { amountCents: 500, feeCents: 20 };
    expect(accountsAfter(payoutReservedAmounts(money), payoutCompletedAmounts(money))).toEqual({
      clearingCents: -500,
      availableCents: -520,
      platformFeesCents: 20,
    });
  });

  it("is the store's again, with its fee, where it could not be sent", () => {
    fc.assert(
      fc.property(sent, (money) => {
        expect(accountsAfter(payoutReservedAmounts(money), payoutFailedAmounts(money))).toEqual({});
      }),
    );
  });
});
