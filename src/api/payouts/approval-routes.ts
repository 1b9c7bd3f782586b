import type { z } from 'zod';
import type { Payout } from '../../database/entities/payout.ts';
import type { PayoutKind } from '../../domain/payout.ts';
import { APPROVAL_LASTS_HOURS } from '../../domain/payout-approval.ts';
import { route } from '../frame/route.ts';
import { approvePayout, rejectPayout } from './decide-payout.ts';
import { decisionBody, payoutId } from './schema.ts';

/** The differences between approvals of payouts and of transfers. */
interface Decided<View extends z.ZodType> {
  readonly path: '/payouts' | '/pix';
  readonly kind: PayoutKind;
  readonly view: View;
  /** An example that was just decided. */
  readonly example: (status: 'APPROVED' | 'REJECTED') => z.output<View>;
  readonly present: (payout: Payout, publicUrl: string) => z.output<View>;
}

/** Routes to approve and reject money that waits for an approval. */
export function approvalRoutes<View extends z.ZodType>(decided: Decided<View>) {
  const { path, kind, view, example, present } = decided;
  const name = kind === 'PAYOUT' ? 'payout' : 'transfer';
  const common = {
    method: 'POST',
    permission: 'WITHDRAW:APPROVE',
    audited: true,
    body: decisionBody,
    response: view,
  } as const;
  const exampleOf = (status: 'APPROVED' | 'REJECTED') => ({
    body: { id: payoutId },
    response: example(status),
  });
  return [
    route({
      ...common,
      path: `${path}/approve`,
      example: exampleOf('APPROVED'),
      summary: `Approve a ${name} that waits`,
      description: `Sends the money. The creator cannot approve it, and neither can another key of the same person. Without an approval it
fails after ${APPROVAL_LASTS_HOURS} hours. A payout that waits only because its PIX key is new is sent at \`approval.releasesAt\`.`,
      errors: ['NOT_FOUND', 'INVALID_STATE', 'NOT_ACCEPTABLE'],
      handler: async (request) =>
        present(await approvePayout(request, kind, request.body.id), request.deps.publicUrl),
    }),
    route({
      ...common,
      path: `${path}/reject`,
      example: exampleOf('REJECTED'),
      summary: `Reject a ${name} that waits`,
      description: `It fails with \`approval_rejected\`, \`${name}.failed\` is sent, and the money returns to the balance: in dev mode within
seconds, otherwise within 20 minutes, once the bank has confirmed that it does not know it. If the bank sent it before a restore, it is COMPLETE instead.`,
      errors: ['NOT_FOUND', 'INVALID_STATE'],
      handler: async (request) =>
        present(await rejectPayout(request, kind, request.body.id), request.deps.publicUrl),
    }),
  ] as const;
}
