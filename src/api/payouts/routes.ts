import { formatBrl } from '../../domain/money.ts';
import { MIN_PAYOUT_CENTS } from '../../domain/payout.ts';
import { FAILING_PAYOUT_CENTS, RETURNING_PAYOUT_CENTS } from '../../providers/sandbox/sandbox-transfers.ts';
import { type Route, route } from '../frame/route.ts';
import { approvalRoutes } from './approval-routes.ts';
import { createPayout } from './create-payout.ts';
import { presentPayout } from './presenter.ts';
import { readRoutes } from './read-routes.ts';
import { createPayoutBody, exampleDecided, examplePayout, exampleUnderWay, payoutView } from './schema.ts';

const create = route({
  method: 'POST',
  path: '/payouts/create',
  summary: "Send money to the store's own account",
  description: `At least ${MIN_PAYOUT_CENTS} cents, and one payout a minute. The amount leaves the available balance at once. If the payout completes you get
\`payout.completed\`; if it fails, you get \`payout.failed\` and the amount returns to the balance. The same \`externalId\` with the same
content returns the existing payout, whatever its status: to retry after a failure, use another one. In dev mode a payout
of exactly ${FAILING_PAYOUT_CENTS} cents (${formatBrl(FAILING_PAYOUT_CENTS)}) fails with \`account_closed\`, and one of ${RETURNING_PAYOUT_CENTS} cents
(${formatBrl(RETURNING_PAYOUT_CENTS)}) is returned by the bank, and you get \`payout.returned\`.`,
  permission: 'WITHDRAW:CREATE',
  audited: true,
  body: createPayoutBody,
  response: payoutView,
  errors: [
    'NO_PAYMENT_PROVIDER',
    'NOT_ACCEPTABLE',
    'PAYOUT_LIMIT_EXCEEDED',
    'INSUFFICIENT_FUNDS',
    'INSUFFICIENT_FUNDS_AT_ACCOUNT',
    'EXTERNAL_ID_CONFLICT',
    'TOO_MANY_PAYOUTS',
  ],
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

const reads = readRoutes({
  path: '/payouts',
  kind: 'PAYOUT',
  view: payoutView,
  example: examplePayout,
  present: presentPayout,
});

const decisions = approvalRoutes({
  path: '/payouts',
  kind: 'PAYOUT',
  view: payoutView,
  example: (status) => ({ ...examplePayout, ...exampleDecided(status) }),
  present: presentPayout,
});

export const [getPayout, listPayouts] = reads;
export const [approvePayout, rejectPayout] = decisions;
export { create as createPayoutRoute };

/** Payouts to the store's own account (contract section 3). */
export const payoutRoutes: readonly Route[] = [create, ...reads, ...decisions];
