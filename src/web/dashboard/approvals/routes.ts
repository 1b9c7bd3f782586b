import type { Operation } from '../../../api/frame/route.ts';
import { approvePayout, rejectPayout } from '../../../api/payouts/routes.ts';
import { approveTransfer, rejectTransfer } from '../../../api/pix/routes.ts';
import type { Payout } from '../../../database/entities/payout.ts';
import type { PayoutKind } from '../../../domain/payout.ts';
import { payoutWithApproval } from '../../../payouts/waiting-payouts.ts';
import { carryOut } from '../frame/operation.ts';
import {
  type DashboardRoute,
  dashboardRoute,
  nothingHere,
  type Reply,
  refused,
  seeOther,
} from '../frame/route.ts';
import { stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { renderApproval } from './approval-page.ts';
import { renderApprovals } from './approvals-page.ts';
import { payoutStepUp } from './payout-step-up.ts';

const list = dashboardRoute({
  method: 'GET',
  path: '/approvals',
  action: 'payout:approve',
  handler: renderApprovals,
});

const show = dashboardRoute({
  method: 'GET',
  path: '/approvals/:id',
  action: 'payout:approve',
  handler: async (visit) => renderApproval(visit, await requirePayout(visit)),
});

/** @throws Refusal 404 */
async function requirePayout({ em, caller, params }: Visit): Promise<Payout> {
  const payout = await payoutWithApproval(em, caller, params.id ?? '');
  if (payout === null) throw nothingHere();
  return payout;
}

const DECISIONS = ['approve', 'reject'] as const;

const OPERATIONS: Readonly<
  Record<PayoutKind, Readonly<Record<(typeof DECISIONS)[number], Operation<unknown>>>>
> = {
  PAYOUT: { approve: approvePayout, reject: rejectPayout },
  TRANSFER: { approve: approveTransfer, reject: rejectTransfer },
};

const decide = formAction({
  path: '/approvals/:id',
  action: 'payout:approve',
  back: ({ params }) => `/approvals/${params.id}`,
  async work(visit) {
    const { say } = visit;
    const payout = await requirePayout(visit);
    // Checked before the code is used up. If someone else decides in the meantime, the operation refuses.
    if (payout.approval !== 'WAITING') return decidedAlready(visit, payout);
    const decision = DECISIONS.find((known) => known === visit.field('decision'));
    if (decision === undefined) {
      const missing = say('dashboard.approvals.chooseApproveOrReject');
      return renderApproval(visit, payout, { decision: missing }, 422);
    }
    const wrong = await stepUpProblem(visit, await payoutStepUp(visit));
    if (wrong !== null) return renderApproval(visit, payout, wrong, 422);
    await carryOut(visit, OPERATIONS[payout.kind][decision], { body: { id: payout.id } });
    const done =
      decision === 'approve' ? say('dashboard.approvals.approved') : say('dashboard.approvals.rejected');
    return seeOther(visit.link('/approvals'), done);
  },
});

function decidedAlready(visit: Visit, { id }: Payout): Reply {
  const why = visit.say('dashboard.approvals.itIsNoLongerWaiting');
  return refused(visit.link(`/approvals/${id}`), why);
}

/** Payouts and transfers that wait for a second person. */
export const approvalPages: readonly DashboardRoute[] = [list, show, decide];
