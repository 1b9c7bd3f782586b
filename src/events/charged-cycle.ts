import { z } from 'zod';
import type { Charge } from '../database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../database/entities/checkout.ts';
import { type Cycle, CycleEntity } from '../database/entities/cycle.ts';
import type { Em } from '../database/orm.ts';

/** The cycle that a charge is for, in events. */
export const chargedCycle = {
  installmentId: z
    .string()
    .nullable()
    .meta({ description: 'The cycle of a subscription that it is for; otherwise null.' }),
  installmentNumber: z
    .int()
    .nullable()
    .meta({ description: 'The number of that cycle: 1 is the first payment.' }),
};
export type ChargedCycle = Pick<Cycle, 'id' | 'number'>;

/** What a cycle charges. */
export const installmentKind = z
  .enum(['PLAN', 'USAGE'])
  .nullable()
  .meta({
    description:
      '`USAGE` if the charge is for usage only, within a period of the plan (`usageCycle`): the period that is paid stays the same. ' +
      'Otherwise `PLAN`; null without a cycle.',
  });

export function publishedKind(cycle: Pick<Cycle, 'isUsage'> | null): z.output<typeof installmentKind> {
  if (cycle === null) return null;
  return cycle.isUsage ? 'USAGE' : 'PLAN';
}

export function publishedCycle(cycle: ChargedCycle | null) {
  return { installmentId: cycle?.id ?? null, installmentNumber: cycle?.number ?? null };
}

/** The cycle that a charge of a subscription is for; null for any other charge, such as an upsell. */
export async function cycleOf(
  em: Em,
  { id, cycleId, upsellOf }: Pick<Charge, 'id' | 'cycleId' | 'upsellOf'>,
  { subscriptionId }: Pick<Checkout, 'subscriptionId'>,
): Promise<Cycle | null> {
  if (cycleId !== null) return em.findOneOrFail(CycleEntity, { id: cycleId }, { disableIdentityMap: true });
  // The first payment was made on the page, before its cycle existed.
  if (subscriptionId === null || upsellOf !== null) return null;
  return em.findOne(CycleEntity, { subscriptionId, paidByChargeId: id }, { disableIdentityMap: true });
}

/** The same for a charge whose checkout has not been read. */
export async function cycleOfCharge(em: Em, charge: Charge): Promise<ChargedCycle | null> {
  const { checkoutId } = charge;
  if (checkoutId === null) return null;
  return cycleOf(
    em,
    charge,
    await em.findOneOrFail(CheckoutEntity, { id: checkoutId }, { disableIdentityMap: true }),
  );
}
