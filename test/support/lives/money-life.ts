import type { Charge } from '../../../src/database/entities/charge.ts';
import { type Payout, PayoutEntity } from '../../../src/database/entities/payout.ts';
import { type Refund, RefundEntity } from '../../../src/database/entities/refund.ts';
import { balanceOf } from '../../../src/database/ledger/ledger.ts';
import type { ChargeStatus } from '../../../src/domain/charge.ts';
import type { PayoutId, RefundId } from '../../../src/domain/ids.ts';
import type { DisputeStatus } from '../../../src/domain/reversal.ts';
import { mintId } from '../../../src/ids.ts';
import { Intake } from '../../../src/notifications/intake.ts';
import { payoutStart } from '../../../src/temporal/payout.ts';
import type { payout as payoutWorkflow } from '../../../workflows/payout.ts';
import { insertPix } from '../rows/charges.ts';
import { chargeUpdates, mustPay, notify } from './charge-life.ts';
import type { WorkflowWorld } from './workflow-world.ts';

/** A PIX charge of 100.00 that has been paid. */
export async function paidPix(world: WorkflowWorld): Promise<Charge> {
  const charge = await insertPix(world);
  await notify(world, await mustPay(world, charge));
  return charge;
}

/** Inserts a refund as its route does, of all that is left unless an amount is given. */
export async function requestRefund(
  { database, now }: Pick<WorkflowWorld, 'database' | 'now'>,
  charge: Charge,
  amountCents?: number,
): Promise<Refund> {
  const at = await now();
  const refund: Refund = {
    id: mintId<RefundId>('refund', at),
    chargeId: charge.id,
    storeId: charge.storeId,
    devMode: charge.devMode,
    status: 'REQUESTED',
    amountCents: amountCents ?? charge.amountCents,
    takesRest: amountCents === undefined,
    platformFeeCents: null,
    reason: 'Pedido cancelado',
    refusal: null,
    initiatedBy: 'STORE',
    revivedAt: null,
    createdAt: at,
    updatedAt: at,
  };
  await database.em.fork().insert(RefundEntity, refund);
  return refund;
}

/**
 * The integrator sends a payment back. @returns the charge's status and the refund as they are afterwards.
 */
export async function refund(world: WorkflowWorld, charge: Charge, amountCents?: number) {
  const requested = await requestRefund(world, charge, amountCents);
  const status = await chargeUpdates(world).refund(charge, requested.id, null);
  return { status, refund: await refundOf(world, requested.id) };
}

export function refundOf({ database }: Pick<WorkflowWorld, 'database'>, id: RefundId): Promise<Refund> {
  return database.em.fork().findOneOrFail(RefundEntity, { id });
}

/** The provider tells that a dispute, of all that is left or of a part, is where `status` says. @returns the charge's status afterwards. */
export function dispute(
  world: WorkflowWorld,
  charge: Charge,
  status: DisputeStatus,
  providerDisputeId = `dispute-of-${charge.id}`,
  amountCents: number | null = null,
): Promise<ChargeStatus | null> {
  const { providerReference: reference } = charge;
  world.provider.setDispute({ providerDisputeId, reference, status, amountCents, reason: 'fraud' });
  const intake = new Intake(world.database, chargeUpdates(world));
  return intake.receiveDispute({ provider: world.provider.name, reference, providerDisputeId }, null);
}

/** Starts the workflow of a payout whose row is there. @returns its handle. */
export function startPayout({ client, taskQueue }: WorkflowWorld, payout: Payout) {
  const { options, workflowType } = payoutStart(payout, null);
  return client.workflow.start<typeof payoutWorkflow>(workflowType, {
    ...options,
    args: [{ payoutId: payout.id }],
    taskQueue,
  });
}

export function payoutOf({ database }: Pick<WorkflowWorld, 'database'>, id: PayoutId): Promise<Payout> {
  return database.em.fork().findOneOrFail(PayoutEntity, { id });
}

/** What the world's store has, in cents. */
export function balance({ database, storeId }: Pick<WorkflowWorld, 'database' | 'storeId'>) {
  return balanceOf(database.em.fork(), { storeId, devMode: true });
}
