import { z } from 'zod';
import type { MovedClock } from '../../database/store-clock.ts';
import { type CalendarDuration, parseDuration } from '../../domain/duration.ts';
import { MOST_CYCLES } from '../../domain/next-cycles.ts';
import { storeTime } from '../../domain/store-clock.ts';
import { timestamp } from '../../wire/fields.ts';
import { toInstant } from '../frame/time-range.ts';
import { type Advance, LONGEST_ADVANCE_YEARS, MOST_EXPIRIES } from './forecast.ts';

const BY_RULE =
  'must be an ISO 8601 duration longer than nothing, without fractions, such as P1M, P2W or P1DT12H';

/** Body of POST `/dev/clock/advance`: one of `to` and `by`. */
export const advanceBody = z.strictObject({
  to: toInstant('Advances the clock to this instant: what happens, happens').meta({
    description:
      'The instant that the clock is to show; of a day, such as 2027-03-01, its end in São Paulo. Or else `by`.',
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
        'By how much it is to be advanced: an ISO 8601 duration, such as `P1M`. Years, months, weeks and days are those of the calendar in São Paulo, as cycles are counted. Or else `to`.',
    }),
  preview: z
    .boolean()
    .default(false)
    .meta({ description: 'With `true` the clock stays where it is: the answer says what would happen.' }),
});
export type AdvanceBody = z.output<typeof advanceBody>;

export const clockView = z
  .object({
    status: z.enum(['advancing', 'ready']).meta({
      description:
        'While it is `advancing` the clock stands still wherever something is due, until that has happened.',
    }),
    now: timestamp.meta({ description: 'What the clock shows. It is never behind real time.' }),
    target: timestamp
      .nullable()
      .meta({ description: 'Where it is on its way to; null where it is `ready`.' }),
    movedFrom: timestamp
      .nullable()
      .meta({ description: 'What it showed when it was last advanced; null where it shows real time.' }),
    movedAt: timestamp.nullable().meta({ description: 'When that was, in real time.' }),
    steps: z
      .int()
      .meta({ description: 'At how many instants it has stopped since then, as something was due.' }),
    waitsFor: z.string().nullable().meta({
      description:
        'The id of something that is due at `now` and takes more than a second to happen; mostly null.',
    }),
  })
  .meta({ id: 'Clock' });
export type ClockView = z.output<typeof clockView>;

/** What POST `/dev/clock/advance` answers. */
export const advanceView = clockView
  .extend({
    expected: z
      .object({
        target: timestamp.meta({ description: 'What the clock shows after it.' }),
        cycles: z.int().meta({
          description: `How many cycles of active subscriptions open by then, at most ${MOST_CYCLES}. Retries are not counted.`,
        }),
        expiries: z.int().meta({
          description: `How many charges and checkouts expire by then unless they are paid, counted up to ${MOST_EXPIRIES}.`,
        }),
      })
      .meta({
        description:
          'What happens by the target as far as it is known now. What is created meanwhile is not in it.',
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

/** An advance, or its preview, as integrators see it. */
export function presentAdvance({ clock, expected }: Advance, realNow: Date): AdvanceView {
  const { target, cycles, expiries } = expected;
  return {
    ...presentClock(clock, realNow),
    expected: { target: target.toISOString(), cycles, expiries },
  };
}

/** A clock as integrators see it. @param clock null where it shows real time. */
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
