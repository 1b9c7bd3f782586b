import { type Cycle, CycleEntity } from '../database/entities/cycle.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { type PeriodPart, secondsBetween } from '../domain/proration.ts';

/** The part of a period that a cycle covers: the whole one, unless its plan changed within it. */
export function partOf({
  part,
  number,
  startsAt,
  endsAt,
  amountCents,
  creditCents,
  usageCents,
}: Cycle): PeriodPart {
  if (part !== null) return part;
  const periodSeconds = secondsBetween(startsAt, endsAt);
  const planCents = amountCents + creditCents - usageCents;
  return {
    periodNumber: number,
    periodSeconds,
    remainingSeconds: periodSeconds,
    priceCents: planCents,
    planCents,
  };
}

/** The parts of the current period that were paid, in their order; none in a trial, or if nothing of it was paid. */
export async function paidPartsOf(
  tx: Em,
  { id, cycleNumber }: Pick<Subscription, 'id' | 'cycleNumber'>,
): Promise<readonly PeriodPart[]> {
  const current = await tx.findOne(
    CycleEntity,
    { subscriptionId: id, number: { $lte: cycleNumber }, isUsage: false },
    { orderBy: { number: 'desc' }, disableIdentityMap: true },
  );
  if (current === null) return [];
  const { periodNumber } = partOf(current);
  const cycles = await tx.find(
    CycleEntity,
    { subscriptionId: id, number: { $gte: periodNumber, $lte: cycleNumber }, status: 'PAID', isUsage: false },
    { orderBy: { number: 'asc' }, disableIdentityMap: true },
  );
  return cycles.map(partOf);
}
