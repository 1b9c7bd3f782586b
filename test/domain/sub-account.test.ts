import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shareToReturnCents } from '../../src/domain/sub-account.ts';

const cents = (most: number) => fc.integer({ min: 1, max: most });

it('returns the proportion of each refund, and the whole share with the last one', () => {
  const share = { receivedCents: 7_000, returnedCents: 0, balanceCents: 7_000 };
  expect(shareToReturnCents(share, { reversedCents: 3_333, paidCents: 10_000 })).toBe(2_333);
  const rest = { receivedCents: 7_000, returnedCents: 2_333, balanceCents: 4_667 };
  expect(shareToReturnCents(rest, { reversedCents: 10_000, paidCents: 10_000 })).toBe(4_667);
});

it('gives no more than the sub-account has, and gives it later once it has money', () => {
  const reversed = { reversedCents: 5_000, paidCents: 10_000 };
  const spent = { receivedCents: 7_000, returnedCents: 0, balanceCents: 200 };
  expect(shareToReturnCents(spent, reversed)).toBe(200);
  const again = { receivedCents: 7_000, returnedCents: 200, balanceCents: 9_000 };
  expect(shareToReturnCents(again, reversed)).toBe(3_300);
});

it('keeps each share within its proportion, however refunds end', () => {
  fc.assert(
    fc.property(
      cents(1_000_000),
      cents(1_000_000),
      fc.array(fc.tuple(cents(1_000_000), fc.boolean()), { maxLength: 12 }),
      (paidCents, share, refunds) => {
        const receivedCents = Math.min(share, paidCents);
        let [returnedCents, reversedCents] = [0, 0];
        const follow = () => {
          const held = { receivedCents, returnedCents, balanceCents: receivedCents - returnedCents };
          returnedCents += shareToReturnCents(held, { reversedCents, paidCents });
          expect(returnedCents).toBe(Math.floor((receivedCents * reversedCents) / paidCents));
        };
        for (const [wanted, fails] of refunds) {
          const amountCents = Math.min(wanted, paidCents - reversedCents);
          reversedCents += amountCents;
          follow();
          if (fails) reversedCents -= amountCents;
          follow();
        }
      },
    ),
  );
});
