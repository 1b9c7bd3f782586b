import { StoreEntity } from '../../database/entities/store.ts';
import { addDays, civilDate, daysBetween, saoPauloDateOf } from '../../domain/civil-date.ts';
import { brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { type Route, route } from '../frame/route.ts';
import { mrrOf, revenuePerDay } from './queries.ts';
import {
  merchantView,
  mrrView,
  type RevenueQuery,
  revenueQuery,
  revenueView,
  type ShownRevenue,
} from './schema.ts';

/** A year and a day, so that a whole leap year fits. */
const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

const mrr = route({
  method: 'GET',
  path: '/public-mrr/mrr',
  summary: 'Monthly recurring revenue',
  description:
    'The monthly sum of active subscriptions out of trial, without usage: weekly × 52 ÷ 12, quarterly ÷ 3, and so on, ' +
    'rounded half up once for the total.',
  permission: null,
  response: mrrView,
  errors: [],
  example: { response: { mrr: 4_900, totalActiveSubscriptions: 1, totalTrialSubscriptions: 0 } },
  handler: ({ em, key, now }) => mrrOf(em, key, now),
});

const merchantInfo = route({
  method: 'GET',
  path: '/public-mrr/merchant-info',
  summary: 'The store behind the API key',
  permission: 'STORE:READ',
  response: merchantView,
  errors: [],
  example: {
    response: {
      id: 'store_01KAJZX1C3E5G7J9M1P3R5T7VW',
      name: 'Loja Azul',
      devMode: true,
      website: 'https://shop.example.com',
      createdAt: '2026-03-06T14:22:08.120Z',
    },
  },
  async handler({ em, key, deps }) {
    const { id, name, website, createdAt } = await em.findOneOrFail(StoreEntity, { id: key.storeId });
    const { devMode } = key;
    return { id, name, devMode, website: website ?? deps.publicUrl, createdAt: createdAt.toISOString() };
  },
});

const revenue = route({
  method: 'GET',
  path: '/public-mrr/revenue',
  summary: 'Revenue, in total and per day',
  description: `Paid charges of every kind, by the São Paulo day of their payment, over at most ${MAX_DAYS} days. Refunded ones are not included.`,
  permission: 'STORE:READ',
  query: revenueQuery,
  response: revenueView,
  errors: ['NOT_ACCEPTABLE'],
  example: {
    response: {
      totalRevenue: 14_700,
      totalTransactions: 3,
      transactionsPerDay: {
        '2027-01-04': { amount: 9_800, count: 2 },
        '2027-01-05': { amount: 4_900, count: 1 },
      },
    },
  },
  handler: revenueOf,
});

async function revenueOf({ em, key, query, now }: ApiRequest<RevenueQuery>): Promise<ShownRevenue> {
  const end = query.endDate === undefined ? saoPauloDateOf(now) : civilDate(query.endDate);
  const start = query.startDate === undefined ? addDays(end, 1 - DEFAULT_DAYS) : civilDate(query.startDate);
  const days = daysBetween(start, end) + 1;
  if (days < 1) throw brokenRule('RANGE_REVERSED', 'startDate', `must not be after endDate, ${end}`);
  if (days > MAX_DAYS) {
    const message = `must be at most ${MAX_DAYS - 1} days before endDate, ${end}`;
    throw brokenRule('RANGE_TOO_LONG', 'startDate', message);
  }
  const perDay = await revenuePerDay(em, key, start, end);
  return {
    totalRevenue: perDay.reduce((total, { amountCents }) => total + amountCents, 0),
    totalTransactions: perDay.reduce((total, { count }) => total + count, 0),
    transactionsPerDay: Object.fromEntries(
      perDay.map(({ day, amountCents, count }) => [day, { amount: amountCents, count }]),
    ),
  };
}

/** Public figures of a store (contract section 3). */
export const publicMrrRoutes: readonly Route[] = [mrr, merchantInfo, revenue];
