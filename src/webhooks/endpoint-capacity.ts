import type { ApplicationFailure } from '@temporalio/common';
import { type CrowdedDelivery, DeliveryBacklog } from './delivery-backlog.ts';
import { EndpointQueues } from './endpoint-queues.ts';

/** What one process knows of endpoints: their running attempts, and the deliveries that wait for room. */
export class EndpointCapacity {
  readonly queues: EndpointQueues;
  readonly backlog: DeliveryBacklog;

  /** @param nowMs a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.queues = new EndpointQueues(nowMs);
    this.backlog = new DeliveryBacklog(nowMs);
  }

  /**
   * The start delay of a new delivery's workflow, in milliseconds; 0 if its endpoint has room and is not paused, as far as this
   * process knows.
   * Without it the run would start, find no room and wait as long, at five times the cost
   * (docs/decisions/0017-queues-and-fairness.md).
   */
  startDelayMs(delivery: CrowdedDelivery): number {
    const { queues, backlog } = this;
    const { webhookId, storeId } = delivery;
    const hasRoom = !queues.isPaused(webhookId) && queues.hasRoom(webhookId, 'open', storeId);
    if (queues.isFast(webhookId) || hasRoom) return 0;
    return backlog.pauseMs(delivery, { roomEveryMs: queues.roomEveryMs(webhookId), pausedForMs: 0 });
  }

  /**
   * The failure that makes the server retry a delivery when its endpoint is likely to have room.
   * @param pausedForMs the rest of the endpoint's pause, which is remembered; 0 if it is not paused.
   */
  leaveFor(delivery: CrowdedDelivery, pausedForMs = 0): ApplicationFailure {
    const { queues, backlog } = this;
    const { webhookId } = delivery;
    if (pausedForMs > 0) queues.notePause(webhookId, pausedForMs);
    return backlog.leaveFor(delivery, { roomEveryMs: queues.roomEveryMs(webhookId), pausedForMs });
  }
}
