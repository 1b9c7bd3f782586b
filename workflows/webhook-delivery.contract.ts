import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { DeliveryStatus } from '../src/domain/delivery.ts';
import type { DeliveryId } from '../src/domain/ids.ts';

/** The workflow's type name; it stands in every history and is never renamed. */
export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDelivery';

/** One workflow per event and endpoint, so an event is never delivered by two at once. */
export function deliveryWorkflowId(deliveryId: DeliveryId): string {
  return `delivery/${deliveryId}`;
}

export interface WebhookDeliveryInput {
  readonly deliveryId: DeliveryId;
  /** True where an integrator asked for a finished delivery to be sent again. */
  readonly resend: boolean;
  /**
   * Attempts of the schedule that an earlier run has made, where that run was lost; the first one here is the
   * next of them.
   */
  readonly attemptsMade?: number;
  /**
   * Set since a run that gives its delivery up ends Failed; one of a release before ends Completed either way, and says
   * in its search attribute `Status` how.
   */
  readonly failsWhenGivenUp?: true;
}

/** The type of the failure in which such a run ends. */
export const WEBHOOK_GIVEN_UP = 'WEBHOOK_GIVEN_UP';

/** Makes the next attempt now instead of at its time. */
export const resendUpdate = defineUpdate<void>('resend');

export interface DeliveryState {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
}

export const deliveryStateQuery = defineQuery<DeliveryState>('state');
