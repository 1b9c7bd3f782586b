import { z } from 'zod';
import { idText, text } from '../fields.ts';

/** Body of the three refund endpoints (contract section 3). */
export const refundBody = z.strictObject({
  id: idText('pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD'),
  reason: text(1, 500).optional().meta({
    description: 'Told in the event of the refund.',
    example: 'Pedido cancelado',
  }),
});
export type RefundBody = z.output<typeof refundBody>;

/** What a refund answers. */
export const refundView = z.object({
  refundPublicId: z.string().meta({ description: 'The same however often the refund is asked for.' }),
});
