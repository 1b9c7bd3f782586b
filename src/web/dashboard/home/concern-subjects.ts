import type { Attention } from '../../../database/entities/attention.ts';
import { type DeliveryId, ID_PREFIX } from '../../../domain/ids.ts';
import { webhooksOfDeliveries } from '../../../webhooks/webhook-names.ts';
import { subjectNames } from '../audit/subject-names.ts';
import type { Visit } from '../frame/visit.ts';

/** The names of the concerns' subjects by their ids. A delivery is named after its webhook. */
export async function concernNames(
  visit: Visit,
  concerns: readonly Pick<Attention, 'subjectId'>[],
): Promise<ReadonlyMap<string, string>> {
  const { em, caller } = visit;
  const ids = concerns.map(({ subjectId }) => subjectId);
  const deliveryIds = ids.filter((id): id is DeliveryId => id.startsWith(ID_PREFIX.delivery));
  const names = await subjectNames(visit, ids);
  const webhooks = await webhooksOfDeliveries(em, caller, deliveryIds);
  return new Map([...names, ...[...webhooks].map(([id, { name }]) => [id, name] as const)]);
}
