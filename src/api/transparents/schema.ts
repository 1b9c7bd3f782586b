import { z } from 'zod';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { amountCents, metadata, text, timestamp } from '../../wire/fields.ts';

/** One year in seconds (contract section 4). */
const MAX_EXPIRES_IN_SECONDS = 31_536_000;
/** 100 % (contract section 4, ours): more is a slip, and keeps what may fall due within what a code can carry. */
const MAX_RATE = 10_000;

const EXPIRES_IN_RULE = `must be an integer number of seconds between 1 and ${MAX_EXPIRES_IN_SECONDS}, such as 3600`;
const RATE_RULE = `must be an integer number of hundredths of a percent between 0 and ${MAX_RATE}, such as 200 for 2 %`;
const FIXED_FINE_RULE = `must be an integer number of cents between 0 and ${MAX_AMOUNT_CENTS}, such as 1000`;

const rate = z.int({ error: RATE_RULE }).min(0, { error: RATE_RULE }).max(MAX_RATE, { error: RATE_RULE });
const fixedFine = z.int({ error: FIXED_FINE_RULE }).min(0, { error: FIXED_FINE_RULE });

export const interest = z.strictObject({ value: rate }).meta({
  description:
    'Monthly late interest in hundredths of a percent, pro rata die after the due date; 0 is none.',
});

export const fine = z
  .discriminatedUnion('type', [
    z.strictObject({ value: rate, type: z.literal('PERCENTAGE') }),
    z.strictObject({
      value: fixedFine.max(MAX_AMOUNT_CENTS, { error: FIXED_FINE_RULE }),
      type: z.literal('FIXED'),
    }),
  ])
  .meta({
    description:
      'Charged once after the due date: hundredths of a percent of the amount, or cents; 0 is none.',
  });

const EMAIL_RULE = 'must be an e-mail address, such as ana@example.com';

export const email = z
  .email({ error: ({ code }) => (code === 'invalid_format' ? EMAIL_RULE : undefined) })
  .max(254);
export const cellphone = text(8, 30).meta({ example: '+55 11 91234-5678' });
export const taxId = z
  .string()
  .min(1)
  .max(20)
  .meta({ description: 'CPF or CNPJ, formatted or bare.', example: '529.982.247-25' });
export const name = text(1, 140).meta({ example: 'Ana Souza' });

const utmText = z.string().max(255).optional();
const common = {
  amount: amountCents,
  description: text(1, 500).optional().meta({ example: 'Pedido 1042' }),
  externalId: text(1, 255).optional().meta({
    description:
      'Your own id, unique per store and environment: creating it again with the same content returns the first.',
    example: 'order-1042',
  }),
  metadata: metadata.optional(),
  utm: z
    .strictObject({ source: utmText, medium: utmText, campaign: utmText, term: utmText, content: utmText })
    .optional()
    .meta({ description: 'Campaign data; no effect on amounts, dates or rules.' }),
  interest: interest.optional(),
  fine: fine.optional(),
};

export const expiresIn = z
  .int({ error: EXPIRES_IN_RULE })
  .min(1, { error: EXPIRES_IN_RULE })
  .max(MAX_EXPIRES_IN_SECONDS, { error: EXPIRES_IN_RULE })
  .default(86_400)
  .meta({ description: 'Seconds until the charge expires; a day unless given.', example: 3600 });

/** The payer of a PIX charge, and every customer of v1: all four fields (contract section 3). */
export const fullCustomer = z.strictObject({ name, email, taxId, cellphone });

const pixData = z.strictObject({
  ...common,
  expiresIn,
  customer: fullCustomer.optional().meta({
    description: 'Optional; all four fields when sent. Found or created by tax id.',
  }),
});

const boletoData = z.strictObject({
  ...common,
  customer: z
    .strictObject({ name, taxId, email: email.optional(), cellphone: cellphone.optional() })
    .meta({ description: 'The payer, found or created by tax id.' }),
  dueDate: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date, such as 2026-12-10' })
    .optional()
    .meta({
      description: 'Today to one year ahead in São Paulo; 3 business days ahead unless given.',
      example: '2026-12-10',
    }),
});

export const createBody = z.discriminatedUnion(
  'method',
  [
    z.strictObject({ method: z.literal('PIX').default('PIX'), data: pixData }),
    z.strictObject({ method: z.literal('BOLETO'), data: boletoData }),
  ],
  { error: 'must be PIX or BOLETO' },
);
export type CreateBody = z.output<typeof createBody>;
export type PixData = z.output<typeof pixData>;
export type BoletoData = z.output<typeof boletoData>;

const status = z.enum(CHARGE_STATUSES);

const shownCharge = {
  id: z.string(),
  amount: amountCents,
  paidAmount: z
    .int()
    .nullable()
    .meta({ description: 'What was paid, late charges included; null while unpaid.' }),
  status,
  devMode: z.boolean(),
  externalId: z.string().nullable(),
  customerId: z.string().nullable(),
  brCode: z.string().meta({ description: 'PIX copy-and-paste code.' }),
  brCodeBase64: z.string().meta({ description: 'The same as a QR code: data:image/png;base64,…' }),
  platformFee: z.int().meta({ description: 'Cents.' }),
  receiptUrl: z.string().nullable().meta({ description: 'Null while unpaid.' }),
  expiresAt: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
  metadata: z.record(z.string(), z.unknown()),
};

const pixCharge = z.object({ method: z.literal('PIX'), ...shownCharge });

const boletoCharge = z.object({
  method: z.literal('BOLETO'),
  ...shownCharge,
  barCode: z.string().meta({ description: 'The digitable line, 47 digits.' }),
  url: z.string().meta({ description: 'Page to view and print the boleto.' }),
  dueDate: z.string().meta({ format: 'date' }),
  interest: z.object({ value: z.int() }).nullable(),
  fine: z.object({ value: z.int(), type: z.enum(['PERCENTAGE', 'FIXED']) }).nullable(),
  pix: z
    .object({ brCode: z.string(), brCodeBase64: z.string() })
    .meta({ description: 'The alternative PIX code.' }),
});

export const charge = z.discriminatedUnion('method', [pixCharge, boletoCharge]);
export type ShownCharge = z.output<typeof charge>;

export const chargeCheck = z.object({ id: z.string(), status, expiresAt: timestamp });
export const chargeStatus = status;
