import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { deliveryWorkflowStart } from '../../temporal/delivery.ts';
import type { AppDeps } from './deps.ts';

/** Starts deliveries after the commit of their event. If this process dies first, the sweeper starts them. */
export function startDeliveries(
  { starter }: Pick<AppDeps, 'starter'>,
  deliveries: readonly DeliveryToStart[],
): void {
  for (const delivery of deliveries) starter.startSoon(deliveryWorkflowStart(delivery));
}
