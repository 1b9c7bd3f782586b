import { z } from 'zod';
import { totalCentsOf } from '../../domain/checkout.ts';
import { usedCents } from '../../domain/cycle-usage.ts';
import { itemsOfPlan, planName, type SubscribedPlan } from '../../domain/subscribed-plan.ts';
import type { Preview, PreviewedCharge } from '../../subscriptions/preview-charges.ts';
import { amountCents, timestamp } from '../../wire/fields.ts';
import { exampleSubscriptionId } from '../../wire/subscription/example.ts';

const line = z.object({
  type: z.enum(['plan', 'add_on', 'discount', 'usage', 'credit']),
  description: z
    .string()
    .nullable()
    .meta({ description: "The product's name, for `plan`, `add_on` and `usage`." }),
  amount: z.int().meta({ description: 'Cents; negative for what is taken off.' }),
});

type ShownLine = z.output<typeof line>;

/** What a subscription would be charged *(ours)*. */
export const subscriptionPreviewView = z
  .object({
    subscriptionId: z.string().nullable(),
    charges: z
      .array(
        z.object({
          installmentNumber: z.int().meta({ description: 'The cycle.' }),
          at: timestamp.meta({ description: 'When it is charged, or attempted next.' }),
          startsAt: timestamp,
          endsAt: timestamp,
          amount: amountCents.meta({
            description: 'Cents: the sum of its lines. 0 if nothing is left to pay.',
          }),
          lines: z.array(line),
        }),
      )
      .meta({
        description:
          'Up to and including the next cycle of the plan, in order, with the usage so far if it is charged before. Empty if nothing is charged any more.',
      }),
    credit: z.int().meta({
      description:
        'Cents that are left after the charges that are due now: later cycles cost less. Negative for a small amount that the next ' +
        'cycle includes.',
    }),
  })
  .meta({ id: 'SubscriptionPreview' });
export type ShownPreview = z.output<typeof subscriptionPreviewView>;

/** The response to a preview. */
export function presentPreview(
  subscriptionId: string | null,
  { charges, creditCents }: Preview,
): ShownPreview {
  return { subscriptionId, charges: charges.map(presentCharge), credit: creditCents };
}

function presentCharge({ at, cycle, plan, used }: PreviewedCharge): ShownPreview['charges'][number] {
  const { number, startsAt, endsAt, amountCents, discountCents, usageCents, creditCents, isUsage, part } =
    cycle;
  const planCents = amountCents + creditCents + discountCents - usageCents;
  const lines: ShownLine[] = [
    ...(isUsage ? [] : planLines(plan, planCents, part !== null)),
    { type: 'discount', description: null, amount: -discountCents },
    ...used.map(({ name, amountCents: cents }) => ({
      type: 'usage' as const,
      description: name,
      amount: cents,
    })),
    { type: 'usage', description: null, amount: usageCents - usedCents(used) },
    { type: 'credit', description: null, amount: -creditCents },
  ];
  return {
    installmentNumber: number,
    at: at.toISOString(),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    amount: amountCents,
    lines: lines.filter(({ type, amount }) => amount !== 0 || type === 'plan' || type === 'add_on'),
  };
}

/** A line for the plan and one for each add-on; one for all of them in a part of a period. */
function planLines(plan: SubscribedPlan, planCents: number, isPart: boolean): ShownLine[] {
  const items = itemsOfPlan(plan);
  if (isPart || totalCentsOf(items) !== planCents)
    return [{ type: 'plan', description: planName(plan), amount: planCents }];
  return items.map(({ name, quantity, unitPriceCents }, index) => ({
    type: index === 0 ? 'plan' : 'add_on',
    description: name,
    amount: quantity * unitPriceCents,
  }));
}

export const examplePreview: ShownPreview = {
  subscriptionId: exampleSubscriptionId,
  charges: [
    {
      installmentNumber: 2,
      at: '2026-12-20T02:25:31.004Z',
      startsAt: '2026-12-20T02:25:31.004Z',
      endsAt: '2027-01-04T14:25:31.004Z',
      amount: 4_900,
      lines: [{ type: 'plan', description: 'Camiseta', amount: 4_900 }],
    },
    {
      installmentNumber: 3,
      at: '2027-01-04T14:25:31.004Z',
      startsAt: '2027-01-04T14:25:31.004Z',
      endsAt: '2027-02-04T14:25:31.004Z',
      amount: 9_800,
      lines: [{ type: 'plan', description: 'Camiseta', amount: 9_800 }],
    },
  ],
  credit: 0,
};
