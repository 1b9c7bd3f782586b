import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { DeliveryStatus } from '../src/domain/delivery.ts';
import type { DeliveryId } from '../src/domain/ids.ts';

/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDelivery';

/** One workflow per event and endpoint, so no event is delivered by two runs at once. */
export function deliveryWorkflowId(deliveryId: DeliveryId): string {
  return `delivery/${deliveryId}`;
}

export interface WebhookDeliveryInput {
  readonly deliveryId: DeliveryId;
  /** True if an integrator asked to resend a finished delivery. */
  readonly resend: boolean;
  /** Scheduled attempts that a lost run has made. This run continues with the next one. */
  readonly attemptsMade?: number;
}

/** The type of the failure that ends a run of a delivery that was given up. */
export const WEBHOOK_GIVEN_UP = 'WEBHOOK_GIVEN_UP';

/** Makes the next attempt now instead of at its scheduled time. */
export const resendUpdate = defineUpdate<void>('resend');

export interface DeliveryState {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
}

export const deliveryStateQuery = defineQuery<DeliveryState>('state');
