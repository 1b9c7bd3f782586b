import { resendUpdate, type WebhookDeliveryInput } from '../../../workflows/webhook-delivery.contract.ts';
import { DeliveryEntity } from '../../database/entities/delivery.ts';
import type { Em } from '../../database/orm.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { unstartedWorkflowsOf } from '../../temporal/unstarted-workflows.ts';
import { AT_ONCE, type Startable } from '../../temporal/workflow-start.ts';
import type { Received } from './received.ts';

/** How a delivery continues: with its next attempt when it is due, or at once if an integrator was promised one. */
export async function deliverySuccessor(em: Em, id: string, received: Received): Promise<Startable | null> {
  const delivery = await em.findOne(DeliveryEntity, { id: id as DeliveryId });
  const [start] = delivery ? await unstartedWorkflowsOf(em, 'deliveries', [delivery.id]) : [];
  if (delivery === null || start === undefined) return null;
  const isPromised = hasPromisedAttempt(received);
  if (delivery.status === 'PENDING') return isPromised ? { ...start, sleepsUntil: AT_ONCE } : start;
  if (!isPromised) return null;
  const { staticDetails, ...options } = start.options;
  const [{ attemptsMade, ...input }] = options.args as [WebhookDeliveryInput];
  return { ...start, sleepsUntil: AT_ONCE, options: { ...options, args: [{ ...input, resend: true }] } };
}

/**
 * Whether a resend was requested, and no attempt that began after the request has ended. A local attempt does not
 * count, as its history does not say when it began: then the endpoint may receive the event once more.
 */
export function hasPromisedAttempt({ input, messages, completed }: Received): boolean {
  const { resend } = (input ?? {}) as Partial<WebhookDeliveryInput>;
  const asked = messages.filter(({ name }) => name === resendUpdate.name).map(({ eventId }) => eventId);
  const lastAsked = Math.max(resend ? 1 : 0, ...asked);
  return lastAsked > 0 && !completed.some((scheduled) => scheduled > lastAsked);
}
