import { z } from 'zod';
import { isCivilDate } from '../../domain/civil-date.ts';
import { timestamp } from '../../wire/fields.ts';

/**
 * From before there was PIX to beyond anybody's reports: days that every part of the service can count with.
 */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2099-12-31';

const day = (example: string) =>
  z
    .string()
    .refine((text) => isCivilDate(text) && text >= FIRST_DAY && text <= LAST_DAY, {
      error: `must be a day between ${FIRST_DAY} and ${LAST_DAY}, written YYYY-MM-DD`,
    })
    .optional()
    .meta({ format: 'date', example });

export const mrrView = z
  .object({
    mrr: z.int().meta({ description: 'Cents a month, of active subscriptions out of trial.' }),
    totalActiveSubscriptions: z.int().meta({ description: 'Those in trial included.' }),
    totalTrialSubscriptions: z
      .int()
      .meta({ description: 'Those of them in trial, which `mrr` leaves out. Ours.' }),
  })
  .meta({ id: 'RecurringRevenue' });

export const merchantView = z
  .object({
    id: z.string(),
    name: z.string(),
    devMode: z.boolean(),
    website: z
      .string()
      .meta({ description: 'Where this service is reached, for a store without a website of its own.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Merchant' });

export const revenueQuery = z.object({
  startDate: day('2027-01-01').meta({ description: 'Default: 30 days that end with `endDate`.' }),
  endDate: day('2027-01-30').meta({ description: 'Included. Default: today in São Paulo.' }),
});
export type RevenueQuery = z.output<typeof revenueQuery>;

export const revenueView = z
  .object({
    totalRevenue: z.int().meta({ description: 'Cents.' }),
    totalTransactions: z.int(),
    transactionsPerDay: z
      .record(z.string(), z.object({ amount: z.int(), count: z.int() }))
      .meta({ description: 'By São Paulo day, oldest first; days without a payment are left out.' }),
  })
  .meta({ id: 'Revenue' });
export type ShownRevenue = z.output<typeof revenueView>;
