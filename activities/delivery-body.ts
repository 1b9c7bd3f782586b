import type { DeliveryId } from '../src/domain/ids.ts';

/**
 * The v2 envelope (contract section 7) as text. The stored `data` is put in as it is, so that every attempt sends,
 * and signs, the same bytes.
 */
export function deliveryBody(
  event: { readonly eventName: string; readonly devMode: boolean; readonly data: string },
  deliveryId: DeliveryId,
): string {
  const head = JSON.stringify({
    id: deliveryId,
    event: event.eventName,
    apiVersion: 2,
    devMode: event.devMode,
  });
  return `${head.slice(0, -1)},"data":${event.data}}`;
}
