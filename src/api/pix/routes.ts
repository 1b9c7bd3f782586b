import { PayoutEntity } from '../../database/entities/payout.ts';
import { FAILING_KEYS, SLOW_KEY } from '../../providers/sandbox/sandbox-transfers.ts';
import { paginate } from '../frame/pagination.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { createPayout } from '../payouts/create-payout.ts';
import { pixDestination } from '../payouts/pix-destination.ts';
import { presentTransfer } from '../payouts/presenter.ts';
import { payoutFilter, requirePayout } from '../payouts/queries.ts';
import {
  exampleTransfer,
  exampleUnderWay,
  payoutFilters,
  payoutQuery,
  sendPixBody,
  transferView,
} from '../payouts/schema.ts';

const FAILING_KEYS_TEXT = [...FAILING_KEYS].map(([key, reason]) => `\`${key}\` (\`${reason}\`)`).join(', ');

const send = route({
  method: 'POST',
  path: '/pix/send',
  summary: 'Send money to a PIX key',
  description: `The amount leaves the available balance at once; it comes back if the transfer fails, which \`transfer.failed\` tells and
\`transfer.completed\` the opposite. Keys are taken with or without punctuation. A BR Code (PIX copy and paste) must carry its key and
a right checksum, and either no amount or exactly \`amount\`. The same \`externalId\` with the same content returns the transfer that
there is, whatever its status: to try again after a failure, use another one. In dev mode these keys of type \`EMAIL\` fail:
${FAILING_KEYS_TEXT}; \`${SLOW_KEY}\` takes a few seconds, and every other key receives at once.`,
  permission: 'WITHDRAW:CREATE',
  body: sendPixBody,
  response: transferView,
  errors: ['NO_PAYMENT_PROVIDER', 'INVALID_PIX_KEY', 'INSUFFICIENT_FUNDS', 'EXTERNAL_ID_CONFLICT'],
  example: {
    body: {
      amount: 25_000,
      externalId: 'supplier-7',
      description: 'Fornecedor',
      pix: { type: 'EMAIL', key: 'ana@example.com' },
    },
    response: { ...exampleTransfer, ...exampleUnderWay },
  },
  async handler(request) {
    const { amount, externalId, description = null, pix } = request.body;
    const destination = pixDestination(pix, amount);
    const order = { kind: 'TRANSFER', amountCents: amount, externalId, description, destination } as const;
    return presentTransfer(await createPayout(request, order), request.deps.publicUrl);
  },
});

const get = route({
  method: 'GET',
  path: '/pix/get',
  summary: 'Get a transfer',
  description: 'By `externalId` or by `id`: exactly one of them.',
  permission: 'WITHDRAW:READ',
  query: payoutQuery,
  response: transferView,
  errors: ['NOT_FOUND'],
  example: { response: exampleTransfer },
  handler: async ({ em, key, query, deps }) =>
    presentTransfer(await requirePayout(em, key, 'TRANSFER', query), deps.publicUrl),
});

const list = listRoute({
  path: '/pix/list',
  summary: 'List transfers, newest first',
  permission: 'WITHDRAW:READ',
  query: payoutFilters,
  response: transferView,
  errors: [],
  example: { response: exampleTransfer },
  async handler(request) {
    const { key, query, deps } = request;
    const page = await paginate(request, PayoutEntity, payoutFilter(key, 'TRANSFER', query), query.limit);
    return { ...page, items: page.items.map((payout) => presentTransfer(payout, deps.publicUrl)) };
  },
});

/** Money to anybody's PIX key (contract section 3). */
export const pixRoutes: readonly Route[] = [send, get, list];
