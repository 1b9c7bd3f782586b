/**
 * Where a delivery stands (contract section 7): PENDING while attempts remain, DELIVERED after a 2xx,
 * FAILED when the schedule is exhausted or the endpoint is gone, disabled or deleted.
 */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
