import { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { isCivilDate } from '../../domain/civil-date.ts';
import { amountCents, metadata, text, timestamp } from '../../wire/fields.ts';
import { boletoPayer, payer } from '../customers/fields.ts';
import { fine, ignored, interest } from './late-terms.ts';

/** One year in seconds (contract section 4). */
const MAX_EXPIRES_IN_SECONDS = 31_536_000;
const EXPIRES_IN_RULE = `must be an integer number of seconds between 1 and ${MAX_EXPIRES_IN_SECONDS}, such as 3600`;

const utmText = z.string().max(255).nullish();
const common = {
  amount: amountCents,
  description: text(1, 500).nullish().meta({ example: 'Pedido 1042' }),
  externalId: text(1, 255)
    .nullish()
    .meta({
      description:
        'Your own id, unique per store and environment. Repeating a request with the same content returns the existing ' +
        'charge while it is payable or paid. After it expired, failed or was cancelled, a new charge is created.',
      example: 'order-1042',
    }),
  metadata: metadata.nullish(),
  utm: z
    .strictObject({ source: utmText, medium: utmText, campaign: utmText, term: utmText, content: utmText })
    .meta({ id: 'Utm' })
    .nullish()
    .meta({ description: 'Campaign data; no effect on amounts, dates or rules.' }),
};

export const expiresIn = z
  .int({ error: EXPIRES_IN_RULE })
  .min(1, { error: EXPIRES_IN_RULE })
  .max(MAX_EXPIRES_IN_SECONDS, { error: EXPIRES_IN_RULE })
  .nullish()
  .transform((seconds) => seconds ?? 86_400)
  .meta({ description: 'Seconds until the charge expires. Default: 86400 (one day).', example: 3600 });

const pixData = z
  .strictObject({
    ...common,
    interest: ignored,
    fine: ignored,
    expiresIn,
    customer: payer.nullish().meta({
      description: 'Optional, like all its fields. Found or created by tax id, otherwise by e-mail.',
    }),
  })
  .meta({ id: 'PixData' });

const boletoData = z
  .strictObject({
    ...common,
    interest,
    fine,
    customer: boletoPayer.meta({ description: 'The payer, found or created by tax id.' }),
    dueDate: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date, such as 2026-12-10', abort: true })
      .refine(isCivilDate, { error: 'must be a date that exists, such as 2026-12-10' })
      .nullish()
      .meta({
        description: 'From today to one year ahead in São Paulo. Default: 3 business days ahead.',
        example: '2026-12-10',
      }),
  })
  .meta({ id: 'BoletoData' });

const pixRequest = z
  .strictObject({ method: z.literal('PIX').default('PIX'), data: pixData })
  .meta({ id: 'PixRequest', override: documentMethod });
const boletoRequest = z
  .strictObject({ method: z.literal('BOLETO'), data: boletoData })
  .meta({ id: 'BoletoRequest' });

/** Clients must send the field that distinguishes the two. The API reads its absence as PIX. */
function documentMethod({ jsonSchema }: Parameters<ZodOpenApiOverride>[0]): void {
  jsonSchema.required = ['method', 'data'];
  jsonSchema.properties = { ...jsonSchema.properties, method: { type: 'string', const: 'PIX' } };
}

export const createBody = z
  .discriminatedUnion('method', [pixRequest, boletoRequest], { error: 'must be PIX or BOLETO' })
  .meta({
    override: ({ jsonSchema }) => {
      const mapping = {
        PIX: '#/components/schemas/PixRequest',
        BOLETO: '#/components/schemas/BoletoRequest',
      };
      jsonSchema.discriminator = { propertyName: 'method', mapping };
    },
  });
export type CreateBody = z.output<typeof createBody>;
export type PixData = z.output<typeof pixData>;
export type BoletoData = z.output<typeof boletoData>;

const status = z.enum(CHARGE_STATUSES);

const codes = {
  brCode: z.string().meta({ description: 'PIX copy-and-paste code.' }),
  brCodeBase64: z.string().meta({ description: 'The same as a QR code: data:image/png;base64,…' }),
};

const shownCharge = {
  id: z.string(),
  amount: amountCents,
  paidAmount: z
    .int()
    .nullable()
    .meta({ description: 'The paid amount, including late charges; null while unpaid.' }),
  status,
  devMode: z.boolean(),
  externalId: z.string().nullable(),
  customerId: z.string().nullable(),
  ...codes,
  platformFee: z.int().meta({ description: 'Cents.' }),
  receiptUrl: z.string().nullable().meta({ description: 'Null while unpaid.' }),
  expiresAt: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
  metadata: z.record(z.string(), z.unknown()),
};

const pixCharge = z.object({ method: z.literal('PIX'), ...shownCharge }).meta({ id: 'PixCharge' });

const boletoCharge = z
  .object({
    method: z.literal('BOLETO'),
    ...shownCharge,
    brCode: codes.brCode.nullable().meta({
      description: "PIX copy-and-paste code; null if the provider's boletos have none.",
    }),
    brCodeBase64: codes.brCodeBase64.nullable(),
    barCode: z.string().meta({ description: 'The digitable line, 47 digits.' }),
    url: z.string().meta({ description: 'A page to view and print the boleto.' }),
    voucherUrl: z
      .string()
      .nullable()
      .meta({ description: "The provider's own page of the boleto, if it has one." }),
    voucherPdfUrl: z.string().nullable().meta({
      description: "The provider's own boleto to print, if it has one; show it instead of one of yours.",
    }),
    dueDate: z.string().meta({ format: 'date' }),
    interest: z.object({ value: z.int() }).nullable(),
    fine: z.object({ value: z.int(), type: z.enum(['PERCENTAGE', 'FIXED']) }).nullable(),
    pix: z
      .object({ brCode: z.string(), brCodeBase64: z.string() })
      .nullable()
      .meta({ description: "The alternative PIX code; null if the provider's boletos have none." }),
  })
  .meta({ id: 'BoletoCharge' });

export const charge = z.discriminatedUnion('method', [pixCharge, boletoCharge]).meta({ id: 'Charge' });
export type ShownCharge = z.output<typeof charge>;

export const chargeCheck = z
  .object({ id: z.string(), devMode: z.boolean(), status, expiresAt: timestamp })
  .meta({ id: 'ChargeCheck' });
export const chargeStatus = status;
