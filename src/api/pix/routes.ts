import { FAILING_KEYS, RETURNING_KEY, SLOW_KEY } from '../../providers/sandbox/sandbox-transfers.ts';
import { type Route, route } from '../frame/route.ts';
import { approvalRoutes } from '../payouts/approval-routes.ts';
import { createPayout, pixDestination } from '../payouts/create-payout.ts';
import { presentTransfer } from '../payouts/presenter.ts';
import { readRoutes } from '../payouts/read-routes.ts';
import {
  exampleDecided,
  exampleTransfer,
  exampleUnderWay,
  sendPixBody,
  transferView,
} from '../payouts/schema.ts';

const FAILING_KEYS_TEXT = [...FAILING_KEYS].map(([key, reason]) => `\`${key}\` (\`${reason}\`)`).join(', ');

const send = route({
  method: 'POST',
  path: '/pix/send',
  summary: 'Send money to a PIX key',
  description: `The amount leaves the available balance at once. If the transfer completes you get \`transfer.completed\`; if it fails, you get
\`transfer.failed\` and the amount returns to the balance. Keys may have punctuation. A BR Code (PIX copy and paste) must contain its
key and a valid checksum, and either no amount or exactly \`amount\`. The code's txid is sent along, so that its payee recognises the
payment. If the store's provider cannot do that, or the txid is invalid, you get a 422.
The same \`externalId\` with the same content returns the existing transfer, whatever its status: to retry after a failure, use another one. In dev mode these keys of type \`EMAIL\` fail:
${FAILING_KEYS_TEXT}; \`${SLOW_KEY}\` takes a few seconds, \`${RETURNING_KEY}\` returns the money (\`transfer.returned\`), and every other
key receives at once.`,
  permission: 'WITHDRAW:CREATE',
  audited: true,
  body: sendPixBody,
  response: transferView,
  errors: [
    'NO_PAYMENT_PROVIDER',
    'NOT_ACCEPTABLE',
    'INVALID_PIX_KEY',
    'PAYOUT_LIMIT_EXCEEDED',
    'INSUFFICIENT_FUNDS',
    'INSUFFICIENT_FUNDS_AT_ACCOUNT',
    'EXTERNAL_ID_CONFLICT',
  ],
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

const reads = readRoutes({
  path: '/pix',
  kind: 'TRANSFER',
  view: transferView,
  example: exampleTransfer,
  present: presentTransfer,
});

const decisions = approvalRoutes({
  path: '/pix',
  kind: 'TRANSFER',
  view: transferView,
  example: (status) => ({ ...exampleTransfer, ...exampleDecided(status) }),
  present: presentTransfer,
});

export const [getTransfer, listTransfers] = reads;
export const [approveTransfer, rejectTransfer] = decisions;
export { send as sendPix };

/** Transfers to any PIX key (contract section 3). */
export const pixRoutes: readonly Route[] = [send, ...reads, ...decisions];
