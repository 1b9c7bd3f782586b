import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, civilDate, saoPauloDateOf, weekday } from '../../src/domain/civil-date.ts';
import {
  isSendingDay,
  isSendingTime,
  morningOf,
  newestSendingDay,
  nextSendingDay,
  parseSteps,
  rangesOf,
} from '../../src/domain/reminders.ts';

const at = (text: string) => new Date(`${text}-03:00`);
const days = fc.integer({ min: 0, max: 3_000 }).map((count) => addDays(civilDate('2026-01-01'), count));

describe('steps', () => {
  it.each([
    ['-3, 0, 3', [-3, 0, 3]],
    ['3 0 -3 3', [-3, 0, 3]],
    ['+60;-30', [-30, 60]],
    ['-0', [0]],
    ['', null],
    ['61', null],
    ['-31', null],
    ['1.5', null],
    ['um', null],
    ['1,2,3,4,5,6,7', null],
  ])('reads %j as %j', (text, steps) => {
    expect(parseSteps(text)).toEqual(steps);
  });
});

describe('sending times', () => {
  it.each([
    ['on a Friday at eight', '2026-11-27T08:00:00', true],
    ['a moment before eight', '2026-11-27T07:59:59.999', false],
    ['a moment before eight in the evening', '2026-11-27T19:59:59.999', true],
    ['at eight in the evening', '2026-11-27T20:00:00', false],
    ['on a Saturday', '2026-11-28T12:00:00', true],
    ['on a Sunday', '2026-11-29T12:00:00', false],
    ['on Christmas', '2026-12-25T12:00:00', false],
    ['on Good Friday', '2026-04-03T12:00:00', false],
  ])('knows whether a mail may be sent %s', (_when, time, expected) => {
    expect(isSendingTime(at(time))).toBe(expected);
  });

  it('begins a day at nine, and moves Sundays and holidays to the next other day', () => {
    expect(newestSendingDay(at('2026-11-27T08:59:59'))).toBe('2026-11-26');
    expect(newestSendingDay(at('2026-11-27T09:00:00'))).toBe('2026-11-27');
    expect(newestSendingDay(at('2026-11-29T12:00:00'))).toBe('2026-11-28');
    expect(nextSendingDay(civilDate('2026-12-25'))).toBe('2026-12-26');
    expect(nextSendingDay(civilDate('2026-11-29'))).toBe('2026-11-30');
  });

  it('allows mails on every morning that begins a day', () => {
    fc.assert(
      fc.property(days, (day) => {
        const next = nextSendingDay(day);
        expect(isSendingTime(morningOf(next))).toBe(true);
        expect(newestSendingDay(morningOf(next))).toBe(next);
        expect(saoPauloDateOf(morningOf(next))).toBe(next);
        expect(weekday(next)).not.toBe(0);
      }),
    );
  });
});

it('finds each step of each due date in the days of exactly one round', () => {
  const step = fc.integer({ min: -30, max: 60 });
  fc.assert(
    fc.property(
      days,
      step,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3 }),
      (due, days, pauses) => {
        const begin = nextSendingDay(addDays(due, days - 20));
        const rounds = [begin];
        for (const pause of pauses) rounds.push(nextSendingDay(addDays(rounds.at(-1) ?? begin, pause)));
        const found = rounds.slice(1).filter((until, index) => {
          const [range] = rangesOf([days], rounds[index] ?? begin, until);
          return range !== undefined && range.after < due && due <= range.until;
        });
        const sentOn = nextSendingDay(addDays(due, days));
        const first = rounds.slice(1).find((until) => until >= sentOn);
        expect(found).toEqual(sentOn > begin && first !== undefined ? [first] : []);
        expect(found.every(isSendingDay)).toBe(true);
      },
    ),
  );
});
