import { z } from 'zod';
import type { MovedClock } from '../../database/store-clock.ts';
import { type CalendarDuration, parseDuration } from '../../domain/duration.ts';
import { MOST_CYCLES } from '../../domain/next-cycles.ts';
import { LONGEST_ADVANCE_YEARS, storeTime } from '../../domain/store-clock.ts';
import { timestamp } from '../../wire/fields.ts';
import { toInstant } from '../frame/time-range.ts';
import { type Advance, MOST_EXPIRIES } from './forecast.ts';

const BY_RULE =
  'must be an ISO 8601 duration longer than nothing, without fractions, such as P1M, P2W or P1DT12H';

/** Body of POST `/dev/clock/advance`: either `to` or `by`. */
export const advanceBody = z.strictObject({
  to: toInstant('Advances the clock to this instant. Everything due by then happens').meta({
    description:
      'The target of the clock. A day, such as 2027-03-01, means its end in São Paulo. Alternative to `by`.',
  }),
  by: z
    .string()
    .transform((text, context): CalendarDuration => {
      const duration = parseDuration(text);
      if (duration !== null) return duration;
      context.addIssue({ code: 'custom', message: BY_RULE });
      return z.NEVER;
    })
    .optional()
    .meta({
      description:
        'How far to advance the clock: an ISO 8601 duration, such as `P1M`. Years, months, weeks and days follow the calendar of São Paulo, as subscription cycles do. Alternative to `to`.',
    }),
  preview: z
    .boolean()
    .default(false)
    .meta({ description: 'With `true` the clock does not move; the response shows what would happen.' }),
});
export type AdvanceBody = z.output<typeof advanceBody>;

export const clockView = z
  .object({
    status: z.enum(['advancing', 'ready']).meta({
      description:
        'While `advancing`, the clock stops at each instant at which something is due until that has happened.',
    }),
    now: timestamp.meta({ description: 'The current time of the clock. Never behind real time.' }),
    target: timestamp.nullable().meta({ description: 'The target; null while `ready`.' }),
    movedFrom: timestamp
      .nullable()
      .meta({ description: 'The time of the clock when it was last advanced; null if it shows real time.' }),
    movedAt: timestamp.nullable().meta({ description: 'When it was last advanced, in real time.' }),
    steps: z
      .int()
      .meta({ description: 'At how many instants it has stopped since then because something was due.' }),
    waitsFor: z.string().nullable().meta({
      description: 'The id of an object that is due at `now` and takes more than a second; usually null.',
    }),
  })
  .meta({ id: 'Clock' });
export type ClockView = z.output<typeof clockView>;

/** The response of POST `/dev/clock/advance`. */
export const advanceView = clockView
  .extend({
    expected: z
      .object({
        target: timestamp.meta({ description: 'The time of the clock afterwards.' }),
        cycles: z.int().meta({
          description: `Active subscriptions open this many cycles by then, at most ${MOST_CYCLES}. Retries are not counted.`,
        }),
        expiries: z.int().meta({
          description: `This many charges and checkouts expire by then unless they are paid, counted up to ${MOST_EXPIRIES}.`,
        }),
      })
      .meta({
        description: 'The effects known now. Objects created during the advance are not included.',
      }),
  })
  .meta({ id: 'ClockAdvance' });
export type AdvanceView = z.output<typeof advanceView>;

/** The limits of an advance, for the reference. */
export const ADVANCE_LIMITS = `at most ${LONGEST_ADVANCE_YEARS} years and ${MOST_CYCLES} cycles of subscriptions at a time`;

export const clockExample: ClockView = {
  status: 'ready',
  now: '2027-04-01T12:00:00.000Z',
  target: null,
  movedFrom: '2027-03-01T12:00:00.000Z',
  movedAt: '2026-03-06T14:05:12.480Z',
  steps: 3,
  waitsFor: null,
};

/** An advance, or its preview, as the API returns it. */
export function presentAdvance({ clock, expected }: Advance, realNow: Date): AdvanceView {
  const { target, cycles, expiries } = expected;
  return {
    ...presentClock(clock, realNow),
    expected: { target: target.toISOString(), cycles, expiries },
  };
}

/** A clock as the API returns it. @param clock null if it shows real time. */
export function presentClock(clock: MovedClock | null, realNow: Date): ClockView {
  return {
    status: clock === null || clock.target === null ? 'ready' : 'advancing',
    now: storeTime(clock, realNow).toISOString(),
    target: clock?.target?.toISOString() ?? null,
    movedFrom: clock?.movedFrom.toISOString() ?? null,
    movedAt: clock?.movedAt.toISOString() ?? null,
    steps: clock?.steps ?? 0,
    waitsFor: clock?.waitsFor ?? null,
  };
}
