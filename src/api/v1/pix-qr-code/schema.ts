import { z } from 'zod';
import type { ChargeStatus } from '../../../domain/charge.ts';
import { amountCents, idText, metadata, timestamp } from '../../../wire/fields.ts';
import { expiresIn } from '../../transparents/schema.ts';
import { fullCustomer, v1CustomerExample } from '../customer.ts';

/** v1 shortens descriptions to this length (contract section 3). */
const MAX_DESCRIPTION_LENGTH = 37;

const V1_STATUSES = ['PENDING', 'EXPIRED', 'CANCELLED', 'PAID', 'REFUNDED'] as const;
type V1Status = (typeof V1_STATUSES)[number];

/**
 * v1 has no disputes: the money counts as the store's until a dispute is lost. A PIX code of a subscription's
 * cycle that failed counts as expired.
 */
export const V1_STATUS: Readonly<Record<ChargeStatus, V1Status>> = {
  PENDING: 'PENDING',
  EXPIRED: 'EXPIRED',
  CANCELLED: 'CANCELLED',
  FAILED: 'EXPIRED',
  PAID: 'PAID',
  UNDER_DISPUTE: 'PAID',
  REFUNDED: 'REFUNDED',
};
const STATUS_NOTE = 'A payment under dispute is `PAID` in v1, and `REFUNDED` once the dispute is lost.';

/** Cuts between characters, so that none is broken. A blank description counts as absent. */
function cut(description: string): string | undefined {
  const kept = [...description].slice(0, MAX_DESCRIPTION_LENGTH).join('');
  return kept.trim() === '' ? undefined : kept;
}

/** Body of POST `/v1/pixQrCode/create` (contract section 3, "v1"). */
export const createPixQrCodeBody = z.strictObject({
  amount: amountCents,
  expiresIn,
  description: z
    .string()
    .nullish()
    .transform((description) => (description ? cut(description) : undefined))
    .meta({
      description: `Cut after ${MAX_DESCRIPTION_LENGTH} characters.`,
      example: 'Pedido 1042',
    }),
  customer: fullCustomer.nullish().meta({
    description: 'Optional; if sent, all four fields are required. Found or created by tax id.',
  }),
  metadata: metadata.nullish(),
});

const status = z.enum(V1_STATUSES).meta({ description: STATUS_NOTE });

/** A PIX charge in the v1 format (contract section 3.6). */
export const pixQrCodeView = z
  .object({
    id: z.string(),
    amount: amountCents,
    status,
    devMode: z.boolean(),
    method: z.literal('PIX'),
    description: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    brCode: z.string().meta({ description: 'PIX copy-and-paste code.' }),
    brCodeBase64: z.string().meta({ description: 'The same as a QR code: data:image/png;base64,…' }),
    platformFee: z.int().meta({ description: 'Cents.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'V1PixQrCode' });
export type PixQrCodeView = z.output<typeof pixQrCodeView>;

export const pixQrCodeCheck = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    status,
    expiresAt: timestamp,
  })
  .meta({ id: 'V1PixQrCodeCheck' });

export const exampleId = 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';
export const examplePixQrCode: PixQrCodeView = {
  id: exampleId,
  amount: 2_500,
  status: 'PENDING',
  devMode: true,
  method: 'PIX',
  description: 'Pedido 1042',
  metadata: { orderId: 'A-1042' },
  brCode:
    '00020126580014br.gov.bcb.pix01362f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50520400005303986540525.005802BR5909Loja Demo6009SAO PAULO62290525AK0Y3PQ8V4T6R2W9ZB5XHMD6304ABCD',
  brCodeBase64: 'data:image/png;base64,iVBORw0KGgo…',
  platformFee: 80,
  createdAt: '2026-12-04T14:22:08.120Z',
  updatedAt: '2026-12-04T14:22:08.120Z',
  expiresAt: '2026-12-04T15:22:08.120Z',
};

export const examplePixQrCodeBody: z.input<typeof createPixQrCodeBody> = {
  amount: 2_500,
  expiresIn: 3_600,
  description: 'Pedido 1042',
  customer: v1CustomerExample.metadata,
  metadata: { orderId: 'A-1042' },
};

/** Query of `/v1/pixQrCode/check` and `simulate-payment`. */
export const byId = z.object({ id: idText(exampleId) });
