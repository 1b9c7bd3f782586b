import { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { DEFAULT_PIX_EXPIRY_SECONDS } from '../../domain/charge-deadlines.ts';
import { isCivilDate } from '../../domain/civil-date.ts';
import { MAX_SPLITS } from '../../domain/sub-account.ts';
import { amountCents, metadata, text, timestamp } from '../../wire/fields.ts';
import { paidComponents } from '../../wire/paid-components.ts';
import { split } from '../../wire/splits.ts';
import { boletoPayer, cardPayer, pixPayer } from '../customers/fields.ts';
import { withDueTerms } from './due-terms.ts';
import { fine, ignored, interest, sentLateTerms } from './late-terms.ts';

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

const seconds = z
  .int({ error: EXPIRES_IN_RULE })
  .min(1, { error: EXPIRES_IN_RULE })
  .max(MAX_EXPIRES_IN_SECONDS, { error: EXPIRES_IN_RULE })
  .nullish();

export const expiresIn = seconds
  .transform((sent) => sent ?? DEFAULT_PIX_EXPIRY_SECONDS)
  .meta({ description: 'Seconds until the charge expires. Default: 86400 (one day).', example: 3600 });

const dueDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date, such as 2026-12-10', abort: true })
  .refine(isCivilDate, { error: 'must be a date that exists, such as 2026-12-10' })
  .nullish();

const splits = z
  .array(split)
  .min(1)
  .max(MAX_SPLITS)
  .refine((each) => new Set(each.map(({ subAccountId }) => subAccountId)).size === each.length, {
    error: 'must name each sub-account once',
  });

const pixFields = z.strictObject({
  ...common,
  splits: splits.nullish().meta({
    description:
      "Parts of the payment that go to sub-accounts when it is paid; the rest is the store's. Together at most the amount less the " +
      "platform's fee. The fields of an entry are our addition.",
  }),
  dueDate: dueDate.meta({
    description:
      'From today to one year ahead in São Paulo, at providers that offer it. The code then has this due date instead of ' +
      '`expiresIn`, and `customer` needs `name` and `taxId`. Our addition.',
    example: '2026-12-10',
  }),
  ...sentLateTerms('With a `dueDate`, as for a boleto: `{ value }`. Ignored without one.'),
  expiresIn: seconds.meta({
    description: 'Seconds until the charge expires. Default: 86400 (one day). Not with a `dueDate`.',
    example: 3600,
  }),
  customer: pixPayer.nullish().meta({
    description:
      'Optional, like all its fields, without a `dueDate`. Found or created by tax id, otherwise by e-mail.',
  }),
});

const pixData = withDueTerms(pixFields)
  .transform(({ expiresIn: sent, ...data }) => ({
    ...data,
    expiresIn: data.dueDate === null ? (sent ?? DEFAULT_PIX_EXPIRY_SECONDS) : null,
  }))
  .meta({ id: 'PixData' });

const boletoData = z
  .strictObject({
    ...common,
    interest,
    fine,
    customer: boletoPayer.meta({ description: 'The payer, found or created by tax id.' }),
    dueDate: dueDate.meta({
      description: 'From today to one year ahead in São Paulo. Default: 3 business days ahead.',
      example: '2026-12-10',
    }),
  })
  .meta({ id: 'BoletoData' });

/** Smaller amounts are refused (contract section 4). */
const MIN_CARD_CENTS = 100;
const CARD_CENTS_RULE = `must be an integer number of cents, at least ${MIN_CARD_CENTS} for a card`;
const INSTALLMENTS_RULE = 'must be a whole number from 1 to 12';
const ONE_CARD = 'is required: send either the token of a card that was just typed, or a cardToken';
const cardTokenText = z.string().min(1).max(200);

const cardData = z
  .strictObject({
    ...common,
    amount: amountCents.min(MIN_CARD_CENTS, { error: CARD_CENTS_RULE }),
    token: cardTokenText.optional().meta({
      description: 'A card that the payer has just typed (`ctok_…`): valid for 60 seconds and one charge.',
      example: 'ctok_01KAK0Y3PX7V4T6R2W9ZB5XHMD',
    }),
    cardToken: cardTokenText.optional().meta({
      description: 'A card that the customer saved by an earlier payment, charged without them.',
    }),
    installments: z
      .int({ error: INSTALLMENTS_RULE })
      .min(1, { error: INSTALLMENTS_RULE })
      .max(12, { error: INSTALLMENTS_RULE })
      .default(1)
      .meta({ description: 'Interest-free installments, each of at least R$ 10,00.' }),
    customer: cardPayer.meta({ description: 'The payer, found or created by tax id.' }),
    interest: ignored,
    fine: ignored,
  })
  // Checked beside the other fields, so that the answer names all wrong ones.
  .refine(({ token, cardToken }) => token !== undefined || cardToken !== undefined, {
    path: ['token'],
    error: ONE_CARD,
    when: isObject,
  })
  .refine(({ token, cardToken }) => token === undefined || cardToken === undefined, {
    path: ['cardToken'],
    error: 'must not be sent with a token',
    when: isObject,
  })
  .meta({ id: 'CardData' });

const pixRequest = z
  .strictObject({ method: z.literal('PIX').default('PIX'), data: pixData })
  .meta({ id: 'PixRequest', override: documentMethod });
const boletoRequest = z
  .strictObject({ method: z.literal('BOLETO'), data: boletoData })
  .meta({ id: 'BoletoRequest' });

const cardRequest = z.strictObject({ method: z.literal('CARD'), data: cardData }).meta({ id: 'CardRequest' });

function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === 'object' && value !== null;
}

/** Clients must send the field that distinguishes the two. The API reads its absence as PIX. */
function documentMethod({ jsonSchema }: Parameters<ZodOpenApiOverride>[0]): void {
  jsonSchema.required = ['method', 'data'];
  jsonSchema.properties = { ...jsonSchema.properties, method: { type: 'string', const: 'PIX' } };
}

export const createBody = z
  .discriminatedUnion('method', [pixRequest, boletoRequest, cardRequest], {
    error: 'must be PIX, BOLETO or CARD',
  })
  .meta({
    override: ({ jsonSchema }) => {
      const mapping = {
        PIX: '#/components/schemas/PixRequest',
        BOLETO: '#/components/schemas/BoletoRequest',
        CARD: '#/components/schemas/CardRequest',
      };
      jsonSchema.discriminator = { propertyName: 'method', mapping };
    },
  });
export type CreateBody = z.output<typeof createBody>;
export type PixData = z.output<typeof pixData>;
export type BoletoData = z.output<typeof boletoData>;
export type CardData = z.output<typeof cardData>;

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
  platformFee: z.int().meta({ description: 'Cents.' }),
  receiptUrl: z.string().nullable().meta({ description: 'Null while unpaid.' }),
  expiresAt: timestamp.meta({
    description:
      'When a PIX charge can no longer be paid; with a due date, the end of its last day by the national calendar. For a boleto, ' +
      'the start of its due date.',
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
  metadata: z.record(z.string(), z.unknown()),
};

const shownCodes = {
  brCode: z.string().meta({ description: 'PIX copy-and-paste code.' }),
  brCodeBase64: z.string().meta({ description: 'The same as a QR code: data:image/png;base64,…' }),
};

const shownInterest = z.object({ value: z.int() }).nullable();
const shownFine = z.object({ value: z.int(), type: z.enum(['PERCENTAGE', 'FIXED']) }).nullable();

const pixCharge = z
  .object({
    method: z.literal('PIX'),
    ...shownCharge,
    ...shownCodes,
    dueDate: z.string().optional().meta({ format: 'date', description: 'Absent without a due date.' }),
    interest: shownInterest.optional(),
    fine: shownFine.optional(),
    splits: z.array(split).optional().meta({ description: 'As sent; absent if the payment is not split.' }),
    paidComponents: paidComponents.nullable().optional().meta({
      description: "The parts of `paidAmount` as the payer's bank computed them; null while unpaid.",
    }),
  })
  .meta({ id: 'PixCharge' });

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
    interest: shownInterest,
    fine: shownFine,
    pix: z
      .object({ brCode: z.string(), brCodeBase64: z.string() })
      .nullable()
      .meta({ description: "The alternative PIX code; null if the provider's boletos have none." }),
  })
  .meta({ id: 'BoletoCharge' });

const cardCharge = z
  .object({
    method: z.literal('CARD'),
    ...shownCharge,
    installments: z.int(),
    cardToken: z.string().nullable().meta({
      description: 'Charges the same card again without its payer; null until this charge is paid.',
    }),
    brand: z.string().meta({ description: 'Such as `visa`.' }),
    lastFour: z.string(),
    actionUrl: z.string().nullable().meta({
      description:
        'Where the payer confirms the payment at their bank (3-D Secure), while it waits for that.',
    }),
    declineReason: z.string().nullable().meta({ description: 'Why the status is `FAILED`.' }),
  })
  .meta({ id: 'CardCharge' });

export const charge = z
  .discriminatedUnion('method', [pixCharge, boletoCharge, cardCharge])
  .meta({ id: 'Charge' });
export type ShownCharge = z.output<typeof charge>;
export type ShownPix = Extract<ShownCharge, { readonly method: 'PIX' }>;
/** A charge with a PIX code. */
export type ShownCode = Exclude<ShownCharge, { readonly method: 'CARD' }>;

export const chargeCheck = z
  .object({ id: z.string(), devMode: z.boolean(), status, expiresAt: timestamp })
  .meta({ id: 'ChargeCheck' });
export const chargeStatus = status;
