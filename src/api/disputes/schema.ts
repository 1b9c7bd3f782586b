import { z } from 'zod';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { idText, text } from '../../wire/fields.ts';

export const exampleDisputedId = 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM';

const id = idText(exampleDisputedId).meta({
  description: 'Of a charge, or of the checkout that it has paid; of a payment link each payment by its own.',
});

export const openDisputeBody = z.strictObject({
  id,
  reason: text(1, 500).nullish().meta({
    description: 'What the payer says; told in the events of the dispute.',
    example: 'Não reconheço a compra',
  }),
});

export const decideDisputeBody = z.strictObject({ id });

/** What has become of the charge. */
export const disputedCharge = z.object({
  id: z.string().meta({ description: 'Of the charge.' }),
  devMode: z.boolean(),
  status: z.enum(CHARGE_STATUSES),
  checkoutId: z.string().optional().meta({ description: 'Where it was paid through a checkout.' }),
});
export type DisputedCharge = z.output<typeof disputedCharge>;
