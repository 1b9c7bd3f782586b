import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountDue, isPayableOn } from '../../scripts/psp/due-charge.ts';
import type { BankCharge } from '../../scripts/psp/state.ts';
import type { DueTerms } from '../../src/domain/charge.ts';
import { duePixDeadlines } from '../../src/domain/charge-deadlines.ts';
import { addDays, type CivilDate, civilDate, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import { amountDueOn, leastAcceptedCents } from '../../src/domain/fine-and-interest.ts';
import { LATE_PAYMENT_WINDOW_DAYS, lastDayToPay } from '../../src/domain/last-day-to-pay.ts';

/** National bank holidays on weekdays, as published by ANBIMA and Febraban: a list, so that no rule of ours is in it. */
const HOLIDAYS = new Set(
  `2026-01-01 2026-02-16 2026-02-17 2026-04-03 2026-04-21 2026-05-01 2026-06-04 2026-09-07 2026-10-12 2026-11-02 2026-11-20
   2026-12-25 2027-01-01 2027-02-08 2027-02-09 2027-03-26 2027-04-21 2027-05-27 2027-09-07 2027-10-12 2027-11-02 2027-11-15
   2028-02-28 2028-02-29 2028-04-14 2028-04-21 2028-05-01 2028-06-15 2028-09-07 2028-10-12 2028-11-02 2028-11-15 2028-11-20
   2028-12-25 2029-01-01 2029-02-12 2029-02-13 2029-03-30`.split(/\s+/),
);
const FIRST_DAY = '2026-01-01';
const DAYS_OF_THREE_YEARS = 1_096;
const DAY_MS = 86_400_000;

/** The independent rule: days as numbers of the calendar of the payer's city. */
class PayersBank {
  readonly #closed: ReadonlySet<string>;

  constructor(localHolidays: readonly string[]) {
    this.#closed = new Set([...HOLIDAYS, ...localHolidays]);
  }

  static plus(day: string, days: number): string {
    return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  }

  next(day: string): string {
    const week = new Date(`${day}T00:00:00Z`).getUTCDay();
    if (week > 0 && week < 6 && !this.#closed.has(day)) return day;
    return this.next(PayersBank.plus(day, 1));
  }

  lastDay(dueDate: string, days: number): string {
    return this.next(PayersBank.plus(this.next(dueDate), days));
  }

  daysLate(dueDate: string, day: string): number {
    return Math.max(0, (Date.parse(day) - Date.parse(this.next(dueDate))) / DAY_MS);
  }
}

const NATIONAL = new PayersBank([]);
const FEES = { interest: { value: 100 }, fine: { value: 200, type: 'PERCENTAGE' } } as const;
const NO_FEES = { interest: null, fine: null };
const termsOf = (dueDate: string, fees: Pick<DueTerms, 'interest' | 'fine'>): DueTerms => ({
  method: 'PIX',
  amountCents: 10_000,
  dueDate: civilDate(dueDate),
  ...fees,
});
const chargeAtBank = ({ dueDate, interest }: DueTerms): BankCharge => ({
  txid: 'V'.repeat(27),
  kind: 'cobv',
  createdAt: '2025-12-01T12:00:00Z',
  revision: 0,
  status: 'ATIVA',
  accessToken: 'token',
  locationId: 1,
  asked: {
    chave: 'caixa@loja.example',
    valor: {
      original: '100.00',
      ...(interest && {
        juros: { modalidade: 3, valorPerc: '1.00' },
        multa: { modalidade: 2, valorPerc: '2.00' },
      }),
    },
    calendario: {
      dataDeVencimento: dueDate,
      validadeAposVencimento: interest ? LATE_PAYMENT_WINDOW_DAYS : 0,
    },
  },
});
const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => PayersBank.plus(first, index));

describe('a PIX charge with a due date, over three years of weekends and holidays', () => {
  it.each([
    ['with fine and interest', FEES, LATE_PAYMENT_WINDOW_DAYS],
    ['without late charges', NO_FEES, 0],
  ])('counts the same days as its bank %s', (_, fees, days) => {
    for (const dueDate of daysFrom(FIRST_DAY, DAYS_OF_THREE_YEARS)) {
      const terms = termsOf(dueDate, fees);
      const last = NATIONAL.lastDay(dueDate, days);
      expect([dueDate, lastDayToPay(terms)]).toEqual([dueDate, last]);
      expect(duePixDeadlines(terms.dueDate, fees.interest, fees.fine).expiresAt).toEqual(
        saoPauloMidnight(addDays(civilDate(last), 1)),
      );
      expect(isPayableOn(chargeAtBank(terms), civilDate(last))).toBe(true);
      expect(isPayableOn(chargeAtBank(terms), addDays(civilDate(last), 1))).toBe(false);
    }
  });

  it('forecasts what its bank asks for, on every payable day', () => {
    const different: string[] = [];
    for (const dueDate of daysFrom(FIRST_DAY, DAYS_OF_THREE_YEARS)) {
      const terms = termsOf(dueDate, FEES);
      for (const day of daysFrom(dueDate, 70)) {
        const late = NATIONAL.daysLate(dueDate, day);
        const totalCents = late === 0 ? 10_000 : 10_200 + Math.floor((100 * late) / 30 + 0.5);
        const ours = amountDueOn(terms, civilDate(day)).totalCents;
        const banks = amountDue(chargeAtBank(terms), civilDate(day)).amountCents;
        if (ours !== totalCents || banks !== totalCents) different.push(`${dueDate} on ${day}`);
      }
    }
    expect(different).toEqual([]);
  });

  it('accepts every payment that a bank with local holidays lets through', () => {
    const day = fc
      .integer({ min: 0, max: DAYS_OF_THREE_YEARS - 1 })
      .map((at) => PayersBank.plus(FIRST_DAY, at));
    fc.assert(
      fc.property(
        day,
        fc.array(fc.integer({ min: -10, max: 80 }), { maxLength: 4 }),
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (dueDate, local, isLate, when) => {
          const bank = new PayersBank(local.map((offset) => PayersBank.plus(dueDate, offset)));
          const terms = termsOf(dueDate, isLate ? FEES : NO_FEES);
          const last = bank.lastDay(dueDate, isLate ? LATE_PAYMENT_WINDOW_DAYS : 0);
          const span = (Date.parse(last) - Date.parse(dueDate)) / DAY_MS;
          const paidOn = civilDate(PayersBank.plus(dueDate, Math.round(when * span)));
          const late = bank.daysLate(dueDate, paidOn);
          const paidCents = late === 0 || !isLate ? 10_000 : 10_200 + Math.floor((100 * late) / 30 + 0.5);
          expect(paidCents).toBeGreaterThanOrEqual(leastAcceptedCents(terms, paidOn));
          const lastMoment = saoPauloMidnight(addDays(paidOn, 1)).getTime() - 1;
          const { closesAt } = duePixDeadlines(terms.dueDate, terms.interest, terms.fine);
          expect(lastMoment).toBeLessThan(closesAt.getTime());
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it.each<[string, number, string]>([
    ['2020-10-20', 4, '2020-10-26'],
    ['2020-12-25', 0, '2020-12-28'],
    ['2020-12-25', 4, '2021-01-04'],
    ['2021-08-27', 5, '2021-09-01'],
    ['2021-08-28', 5, '2021-09-06'],
  ])("keeps Bacen's example of %s and %i days in the simulated bank", (dueDate, days, last) => {
    const charge = chargeAtBank(termsOf(dueDate, NO_FEES));
    const asked = {
      ...charge.asked,
      calendario: { dataDeVencimento: dueDate, validadeAposVencimento: days },
    };
    expect(isPayableOn({ ...charge, asked }, last as CivilDate)).toBe(true);
    expect(isPayableOn({ ...charge, asked }, addDays(last as CivilDate, 1))).toBe(false);
  });
});
