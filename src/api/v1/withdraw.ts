import { z } from 'zod';
import { type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import { presentPage } from '../frame/pagination.ts';
import { linkedListRoute, type Route, route } from '../frame/route.ts';
import { createPayout, pixDestination } from '../payouts/create-payout.ts';
import { presentPayout } from '../payouts/presenter.ts';
import { payoutFilter, requirePayout } from '../payouts/queries.ts';
import { createPayoutBody, examplePayout, payoutView, pixBody, type ShownPayout } from '../payouts/schema.ts';

const createBody = createPayoutBody.extend({ method: z.literal('PIX'), pix: pixBody });

const withdrawView = payoutView
  .pick({
    id: true,
    status: true,
    devMode: true,
    receiptUrl: true,
    amount: true,
    platformFee: true,
    externalId: true,
    createdAt: true,
    updatedAt: true,
    kind: true,
  })
  .meta({ id: 'V1Withdraw' });

/** A payout in the v1 format. */
function withdrawOf(payout: ShownPayout): z.output<typeof withdrawView> {
  const { id, kind, status, devMode, receiptUrl, amount, platformFee } = payout;
  const { externalId, createdAt, updatedAt } = payout;
  const sent = { id, kind, status, devMode, receiptUrl, amount, platformFee };
  return { ...sent, externalId, createdAt, updatedAt };
}

function present(payout: Payout, publicUrl: string) {
  return withdrawOf(presentPayout(payout, publicUrl));
}

const example = withdrawOf(examplePayout);

/** Payouts of v2 in the v1 format, with their PIX key (contract section 3, "v1"). */
export const v1WithdrawRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/withdraw/create',
    summary: 'Withdraw money to a PIX key',
    description: `A payout to the given key: one a minute, together with those of \`/v2/payouts/create\`, which also lists it. The amount
leaves the available balance at once, and returns to it if the withdrawal fails. The same \`externalId\` with the same content returns
the existing withdrawal.`,
    permission: 'WITHDRAW:CREATE',
    audited: true,
    body: createBody,
    response: withdrawView,
    errors: [
      'NO_PAYMENT_PROVIDER',
      'NOT_ACCEPTABLE',
      'INVALID_PIX_KEY',
      'PAYOUT_LIMIT_EXCEEDED',
      'INSUFFICIENT_FUNDS',
      'INSUFFICIENT_FUNDS_AT_ACCOUNT',
      'EXTERNAL_ID_CONFLICT',
      'TOO_MANY_PAYOUTS',
    ],
    example: {
      body: {
        externalId: 'week-47',
        method: 'PIX',
        amount: 25_000,
        pix: { type: 'EMAIL', key: 'ana@example.com' },
        description: 'Semana 47',
      },
      response: { ...example, status: 'PENDING' },
    },
    async handler(request) {
      const { amount: amountCents, externalId, description = null, pix } = request.body;
      const destination = pixDestination(pix, amountCents);
      const order = { kind: 'PAYOUT', amountCents, externalId, description, destination } as const;
      return present(await createPayout(request, order), request.deps.publicUrl);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/withdraw/get',
    summary: 'Get a withdrawal',
    description: 'Also returns payouts of `/v2/payouts/create`, but not transfers of `/v2/pix/send`.',
    permission: 'WITHDRAW:READ',
    query: z.object({ externalId: z.string().min(1).max(255).meta({ example: 'week-47' }) }),
    response: withdrawView,
    errors: ['NOT_FOUND'],
    example: { response: example },
    handler: async ({ em, key, query, deps }) =>
      present(await requirePayout(em, key, 'PAYOUT', query), deps.publicUrl),
  }),
  linkedListRoute({
    path: '/v1/withdraw/list',
    summary: 'List withdrawals, newest first',
    description: 'Includes payouts of `/v2/payouts/create`, but not transfers of `/v2/pix/send`.',
    permission: 'WITHDRAW:READ',
    response: withdrawView,
    errors: [],
    example: { response: example },
    handler: (request) =>
      presentPage(request, PayoutEntity, payoutFilter(request.key, 'PAYOUT', {}), (payout) =>
        present(payout, request.deps.publicUrl),
      ),
  }),
];
