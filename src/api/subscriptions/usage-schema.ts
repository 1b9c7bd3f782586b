import { z } from 'zod';
import { MAX_UNITS } from '../../domain/usage-price.ts';
import { amountCents, idText, timestamp } from '../../wire/fields.ts';
import { exampleSubscriptionId } from '../../wire/subscription/example.ts';
import { exampleUsageProductId } from './examples.ts';

const UNITS_RULE = `must be an integer between 1 and ${MAX_UNITS}`;

export const recordUsageBody = z.strictObject({
  id: idText(exampleSubscriptionId),
  productId: idText(exampleUsageProductId).meta({ description: 'A product without a cycle.' }),
  units: z.int({ error: UNITS_RULE }).min(1, { error: UNITS_RULE }).max(MAX_UNITS, { error: UNITS_RULE }),
  action: z.enum(['add', 'subtract']),
});
export type RecordUsageBody = z.output<typeof recordUsageBody>;

export const usageView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    subscriptionId: z.string(),
    productId: z.string(),
    units: z.int(),
    unitPrice: amountCents.nullable().meta({
      description: "Cents per unit, at the product's current price. Null if the product has a `usagePrice`.",
    }),
    action: z.enum(['add', 'subtract']),
    installmentNumber: z.int().meta({ description: 'The cycle whose charge includes it: the next one.' }),
    recordedAt: timestamp,
  })
  .meta({ id: 'UsageRecord' });
export type ShownUsage = z.output<typeof usageView>;
