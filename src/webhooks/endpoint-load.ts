import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { WebhookId } from '../domain/ids.ts';
import { type CrowdedEndpoint, DeliveryBacklog } from './delivery-backlog.ts';
import { EndpointQueues } from './endpoint-queues.ts';

/** What one process knows of endpoints: their running attempts, and the deliveries that wait for room. */
export class EndpointLoad {
  readonly queues = new EndpointQueues();
  readonly backlog = new DeliveryBacklog();

  /**
   * The start delay of a new delivery's workflow, in milliseconds; 0 if its endpoint has room, as far as this process knows.
   * Without it the run would start, find no room and wait as long, at five times the cost
   * (docs/decisions/0017-queues-and-fairness.md).
   */
  startDelayMs({ deliveryId, webhookId }: Pick<DeliveryToStart, 'deliveryId' | 'webhookId'>): number {
    const { queues, backlog } = this;
    if (queues.isFast(webhookId)) return 0;
    const isFree = queues.hasRoom(webhookId, 'open') && !backlog.hasWaiting(webhookId);
    return isFree ? 0 : backlog.pauseMs(deliveryId, webhookId, this.crowded(webhookId));
  }

  /** @param pausedForMs the rest of the endpoint's pause, if it is paused. */
  crowded(webhookId: WebhookId, pausedForMs = 0): CrowdedEndpoint {
    return { roomEveryMs: this.queues.roomEveryMs(webhookId), pausedForMs };
  }
}
