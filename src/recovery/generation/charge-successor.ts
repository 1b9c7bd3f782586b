import {
  type ChargeInput,
  confirmPaymentUpdate,
  lookUpPaymentSignal,
  type PendingReversalInput,
} from '../../../workflows/charge.contract.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import { RefundEntity } from '../../database/entities/refund.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { chargeReopening, chargeStart } from '../../temporal/charge.ts';
import { AT_ONCE, type Startable } from '../../temporal/workflow-start.ts';
import type { Received } from './received.ts';

/**
 * How a charge continues: with its deadline if it is open, and with everything that is asked of its provider. That
 * comes from rows, except for payments that the provider does not know yet: only messages name those.
 */
export async function chargeSuccessor(em: Em, id: string, received: Received): Promise<Startable | null> {
  const charge = await em.findOne(ChargeEntity, { id: id as ChargeId });
  if (charge === null) return null;
  const unfinished = await unfinishedOf(em, charge, received);
  const start = chargeStart(charge, null);
  if (charge.status === 'PENDING' && unfinished.length === 0) return start;
  const options = charge.status === 'PENDING' ? start.options : chargeReopening(charge, null);
  const [input] = options.args as [ChargeInput];
  if (unfinished.length > 0)
    return { ...start, sleepsUntil: AT_ONCE, options: { ...options, args: [{ ...input, unfinished }] } };
  // A card was accepted without a payment to name: its run repeats what follows the acceptance.
  const [{ authorizes }] = start.options.args as [ChargeInput];
  return authorizes && charge.status === 'PAID' ? start : null;
}

async function unfinishedOf(em: Em, charge: Charge, received: Received): Promise<PendingReversalInput[]> {
  const refunds = await em.find(RefundEntity, {
    chargeId: charge.id,
    status: { $in: ['REQUESTED', 'PENDING'] },
  });
  const payments = await em.find(PaymentEntity, { chargeId: charge.id });
  const known = new Set(payments.map(({ providerPaymentId }) => providerPaymentId));
  const unknown = [...namedPayments(received)].filter((name) => !known.has(name));
  // The run may have been about to do the follow-up work of an acceptance.
  const repeated = payments.filter(({ outcome }) => outcome === 'RETURNING' || outcome === 'ACCEPTED');
  const nowMs = Date.now();
  return [
    ...refunds.map(({ id: refundId }) => ({ refundId, dueAtMs: nowMs })),
    ...repeated.map(({ providerPaymentId }) => ({ providerPaymentId, dueAtMs: nowMs })),
    ...unknown.map((providerPaymentId) => ({ providerPaymentId, dueAtMs: nowMs, unknownSinceMs: nowMs })),
  ];
}

const NAMING: ReadonlySet<string> = new Set([confirmPaymentUpdate.name, lookUpPaymentSignal.name]);

/** The provider's ids of all payments that reached the run, or that it was started with. */
function namedPayments({ input, messages }: Received): Set<string> {
  const { unfinished = [] } = (input ?? {}) as Partial<ChargeInput>;
  const notified = messages.filter(({ name }) => NAMING.has(name)).map(({ argument }) => argument);
  return new Set([...unfinished, ...notified].flatMap(paymentIn));
}

function paymentIn(what: unknown): string[] {
  if (typeof what !== 'object' || what === null || !('providerPaymentId' in what)) return [];
  return typeof what.providerPaymentId === 'string' ? [what.providerPaymentId] : [];
}
