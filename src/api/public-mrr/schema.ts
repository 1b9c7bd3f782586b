import { z } from 'zod';
import { isCivilDate } from '../../domain/civil-date.ts';
import { timestamp } from '../../wire/fields.ts';

/** From before PIX existed to beyond any report; every part of the service supports this range. */
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
    totalActiveSubscriptions: z.int().meta({ description: 'Including those in trial.' }),
    totalTrialSubscriptions: z
      .int()
      .meta({ description: 'The number of them in trial, which `mrr` excludes. Our addition.' }),
  })
  .meta({ id: 'RecurringRevenue' });

export const merchantView = z
  .object({
    id: z.string(),
    name: z.string(),
    devMode: z.boolean(),
    website: z.string().meta({ description: "This service's address, if the store has no website." }),
    createdAt: timestamp,
  })
  .meta({ id: 'Merchant' });

export const revenueQuery = z.object({
  startDate: day('2027-01-01').meta({ description: 'Default: 29 days before `endDate`.' }),
  endDate: day('2027-01-30').meta({ description: 'Inclusive. Default: today in São Paulo.' }),
});
export type RevenueQuery = z.output<typeof revenueQuery>;

export const revenueView = z
  .object({
    totalRevenue: z.int().meta({ description: 'Cents.' }),
    totalTransactions: z.int(),
    transactionsPerDay: z
      .record(z.string(), z.object({ amount: z.int(), count: z.int() }))
      .meta({ description: 'By São Paulo day, oldest first; days without a payment are omitted.' }),
  })
  .meta({ id: 'Revenue' });
export type ShownRevenue = z.output<typeof revenueView>;
