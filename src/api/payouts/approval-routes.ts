import type { z } from 'zod';
import type { Payout } from '../../database/entities/payout.ts';
import type { PayoutKind } from '../../domain/payout.ts';
import { APPROVAL_LASTS_HOURS } from '../../domain/payout-controls.ts';
import { route } from '../frame/route.ts';
import { approvePayout, rejectPayout } from './decide-payout.ts';
import { decisionBody, payoutId } from './schema.ts';

/** What differs between the approvals of payouts and of transfers. */
interface Decided<View extends z.ZodType> {
  readonly path: '/payouts' | '/pix';
  readonly kind: PayoutKind;
  readonly view: View;
  /** One that was just decided. */
  readonly example: (status: 'APPROVED' | 'REJECTED') => z.output<View>;
  readonly present: (payout: Payout, publicUrl: string) => z.output<View>;
}

/** How money that waits for an approval is approved and rejected. */
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
      description: `Sends the money. Its creator cannot approve it, nor any key of the same person. Without an approval it
fails after ${APPROVAL_LASTS_HOURS} hours; to a new PIX key it is sent when \`approval.releasesAt\` is over.`,
      errors: ['NOT_FOUND', 'INVALID_STATE', 'NOT_ACCEPTABLE'],
      handler: async (request) =>
        present(await approvePayout(request, kind, request.body.id), request.deps.publicUrl),
    }),
    route({
      ...common,
      path: `${path}/reject`,
      example: exampleOf('REJECTED'),
      summary: `Reject a ${name} that waits`,
      description: `It fails with \`approval_rejected\`, \`${name}.failed\` tells it, and its money is in the balance again: in dev mode within
seconds, else once the bank is sure not to know it, within 20 minutes. One that the bank sent before a restore is COMPLETE instead.`,
      errors: ['NOT_FOUND', 'INVALID_STATE'],
      handler: async (request) =>
        present(await rejectPayout(request, kind, request.body.id), request.deps.publicUrl),
    }),
  ] as const;
}
