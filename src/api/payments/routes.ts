import type { ChargeId } from '../../domain/ids.ts';
import { notFound } from '../frame/errors.ts';
import { pageByMetadata } from '../frame/metadata-filter.ts';
import { type ListQuery, pageOf } from '../frame/pagination.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { chargeIds } from '../transparents/find-charge.ts';
import { paymentFilter } from './filter.ts';
import { isInOrderOfPayment, placesOf } from './places.ts';
import { paymentColumns, presentPayment } from './presenter.ts';
import { type PaymentRow, readPayments } from './read-payments.ts';
import {
  byPaymentId,
  examplePayment,
  type ListPaymentsQuery,
  listPaymentsQuery,
  paymentView,
} from './schema.ts';

const ALL =
  'Payments of every kind: transparent charges, checkouts, payment links, subscriptions and upsells.';
const PAYER = 'The payer is shown only to keys with `CUSTOMER:READ`.';

function presentAll({ key, deps }: ApiRequest, rows: readonly PaymentRow[]) {
  const showsPayer = key.permissions.includes('CUSTOMER:READ');
  return rows.map((row) => presentPayment(row, { publicUrl: deps.publicUrl, showsPayer }));
}

async function pageByFilter({ em, key, path, query }: ApiRequest<ListPaymentsQuery & ListQuery>) {
  const filter = await paymentFilter(em, key, query);
  return pageOf(
    { path: isInOrderOfPayment(filter) ? `${path}/paid` : path, query },
    (wanted) => placesOf(em, key, filter, wanted),
    (place) => place,
  );
}

export const listPayments = listRoute({
  path: '/payments/list',
  summary: 'List payments of every kind, newest first',
  description: `${ALL} Includes open, expired and declined payments. With \`paidFrom\` or \`paidTo\`, and without a filter by checkout,
subscription, customer or \`externalId\`, the list is ordered by payment time and has cursors of its own. ${PAYER}`,
  permission: 'CHECKOUT:READ',
  query: listPaymentsQuery,
  response: paymentView,
  errors: [],
  example: { response: examplePayment },
  csv: paymentColumns,
  async handler(request) {
    const page = (await pageByMetadata(request, ['CHARGE', 'PAYMENT'])) ?? (await pageByFilter(request));
    const ids = page.items.map(({ id }) => id as ChargeId);
    const rows = await readPayments(request.em, request.key, ids);
    return { ...page, items: presentAll(request, rows) };
  },
});

export const getPayment = route({
  method: 'GET',
  path: '/payments/get',
  summary: 'Get a payment of any kind',
  description: `${ALL} ${PAYER}`,
  permission: 'CHECKOUT:READ',
  query: byPaymentId,
  response: paymentView,
  errors: ['NOT_FOUND'],
  example: { response: examplePayment },
  async handler(request) {
    const rows = await readPayments(request.em, request.key, chargeIds(request.query.id));
    const [shown] = presentAll(request, rows);
    if (shown === undefined) throw notFound('Payment');
    request.about.chargeId = shown.id;
    return shown;
  },
});

/** Payments of every kind as one list (ours). */
export const paymentRoutes: readonly Route[] = [listPayments, getPayment];
