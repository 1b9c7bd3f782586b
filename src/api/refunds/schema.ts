import { z } from 'zod';
import { idText, text } from '../../wire/fields.ts';

/** The body of a refund endpoint (contract section 3), and its answer. @param exampleId the id that the API reference shows. */
export function refundBody(exampleId: string) {
  return z.strictObject({
    id: idText(exampleId),
    reason: text(1, 500).nullish().meta({
      description: 'Told in the event of the refund.',
      example: 'Pedido cancelado',
    }),
  });
}
export type RefundBody = z.output<ReturnType<typeof refundBody>>;

export const refundView = z.object({
  refundPublicId: z.string().meta({ description: 'The same however often the refund is asked for.' }),
});
