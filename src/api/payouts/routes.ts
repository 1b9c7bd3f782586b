import { PayoutEntity } from '../../database/entities/payout.ts';
import { formatBrl } from '../../domain/money.ts';
import { MIN_PAYOUT_CENTS } from '../../domain/payout.ts';
import { FAILING_PAYOUT_CENTS } from '../../providers/sandbox/sandbox-transfers.ts';
import { paginate } from '../frame/pagination.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { createPayout } from './create-payout.ts';
import { presentPayout } from './presenter.ts';
import { payoutFilter, requirePayout } from './queries.ts';
import {
  createPayoutBody,
  examplePayout,
  exampleUnderWay,
  payoutFilters,
  payoutQuery,
  payoutView,
} from './schema.ts';

const create = route({
  method: 'POST',
  path: '/payouts/create',
  summary: "Send money to the store's own account",
  description: `At least ${MIN_PAYOUT_CENTS} cents, and one payout a minute. The amount leaves the available balance at once; it comes
back if the payout fails, which \`payout.failed\` tells and \`payout.completed\` the opposite. The same \`externalId\` with the same
content returns the payout that there is, whatever its status: to try again after a failure, use another one. In dev mode a payout
of exactly ${FAILING_PAYOUT_CENTS} cents (${formatBrl(FAILING_PAYOUT_CENTS)}) fails with \`account_closed\`.`,
  permission: 'WITHDRAW:CREATE',
  body: createPayoutBody,
  response: payoutView,
  errors: ['NO_PAYMENT_PROVIDER', 'INSUFFICIENT_FUNDS', 'EXTERNAL_ID_CONFLICT', 'TOO_MANY_PAYOUTS'],
  example: {
    body: { amount: 25_000, externalId: 'week-47', description: 'Semana 47' },
    response: { ...examplePayout, ...exampleUnderWay },
  },
  async handler(request) {
    const { amount, externalId, description = null } = request.body;
    const order = {
      kind: 'PAYOUT',
      amountCents: amount,
      externalId,
      description,
      destination: null,
    } as const;
    return presentPayout(await createPayout(request, order), request.deps.publicUrl);
  },
});

const get = route({
  method: 'GET',
  path: '/payouts/get',
  summary: 'Get a payout',
  description: 'By `externalId` or by `id`: exactly one of them.',
  permission: 'WITHDRAW:READ',
  query: payoutQuery,
  response: payoutView,
  errors: ['NOT_FOUND'],
  example: { response: examplePayout },
  handler: async ({ em, key, query, deps }) =>
    presentPayout(await requirePayout(em, key, 'PAYOUT', query), deps.publicUrl),
});

const list = listRoute({
  path: '/payouts/list',
  summary: 'List payouts, newest first',
  permission: 'WITHDRAW:READ',
  query: payoutFilters,
  response: payoutView,
  errors: [],
  example: { response: examplePayout },
  async handler(request) {
    const { key, query, deps } = request;
    const page = await paginate(request, PayoutEntity, payoutFilter(key, 'PAYOUT', query), query.limit);
    return { ...page, items: page.items.map((payout) => presentPayout(payout, deps.publicUrl)) };
  },
});

/** Money to the store's own account (contract section 3). */
export const payoutRoutes: readonly Route[] = [create, get, list];
