import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { METHODS } from '../../src/charges/methods/index.ts';
import { isBusinessDay } from '../../src/domain/business-days.ts';
import { daysBetween, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';

const instant = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2040-01-01T00:00:00Z'),
  noInvalidDate: true,
});

describe('PIX payments', () => {
  it.each(['PIX', 'FREE'] as const)('settles a %s payment at the instant of its payment', (method) => {
    fc.assert(fc.property(instant, (paidAt) => expect(METHODS[method].settlesAt(paidAt)).toEqual(paidAt)));
  });
});

describe('boleto payments', () => {
  it.each([
    ['on a Wednesday, on Thursday', '2026-12-02T15:00:00Z', '2026-12-03T03:00:00Z'],
    ['on a Friday, on Monday', '2026-12-04T15:00:00Z', '2026-12-07T03:00:00Z'],
    ['on a Saturday, on Monday', '2026-12-05T15:00:00Z', '2026-12-07T03:00:00Z'],
    ['before Christmas on a Friday, on Monday', '2026-12-24T15:00:00Z', '2026-12-28T03:00:00Z'],
    ['on the Friday before Carnival, on Ash Wednesday', '2026-02-13T15:00:00Z', '2026-02-18T03:00:00Z'],
    ['at 23:59 on a Friday, on Monday', '2026-12-05T02:59:00Z', '2026-12-07T03:00:00Z'],
    ['at midnight of a Thursday, on Friday', '2026-12-03T03:00:00Z', '2026-12-04T03:00:00Z'],
  ])('settles a boleto paid %s', (_, paidAt, settlesAt) => {
    expect(METHODS.BOLETO.settlesAt(new Date(paidAt))).toEqual(new Date(settlesAt));
  });

  it('settles a boleto at midnight of a later business day', () => {
    fc.assert(
      fc.property(instant, (paidAt) => {
        const settlesAt = METHODS.BOLETO.settlesAt(paidAt);
        const day = saoPauloDateOf(settlesAt);
        expect(isBusinessDay(day)).toBe(true);
        expect(settlesAt).toEqual(saoPauloMidnight(day));
        expect(daysBetween(saoPauloDateOf(paidAt), day)).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});

describe('card payments', () => {
  it.each([
    ['a business day', '2026-12-02T15:00:00Z', '2027-01-01T03:00:00Z'],
    ['late in the evening, of that day', '2026-12-03T02:59:00Z', '2027-01-01T03:00:00Z'],
    ['through February of a leap year', '2028-02-01T12:00:00Z', '2028-03-02T03:00:00Z'],
  ])('settles a card payment as the thirtieth day starts, holiday or not: %s', (_, paidAt, settlesAt) => {
    expect(METHODS.CARD.settlesAt(new Date(paidAt))).toEqual(new Date(settlesAt));
  });
});
