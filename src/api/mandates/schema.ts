import { z } from 'zod';
import type { Debit } from '../../database/entities/debit.ts';
import type { Mandate } from '../../database/entities/mandate.ts';
import { PRODUCT_CYCLES } from '../../domain/cycle.ts';
import type { SubscriptionId } from '../../domain/ids.ts';
import { MANDATE_AMOUNT_KINDS, MANDATE_ENDERS, MANDATE_STATUSES } from '../../domain/mandate.ts';
import { buildCompositeBrCode } from '../../domain/pix.ts';
import { consentPath, isWaiting } from '../../mandates/consent/consent-path.ts';
import { exampleCheckoutId } from '../../wire/checkout.ts';
import { debitFields, presentDebit } from '../../wire/debit.ts';
import { idText, timestamp } from '../../wire/fields.ts';
import { exampleSubscriptionId } from '../../wire/subscription/example.ts';
import { pixAutomatic } from './pix-automatic.ts';

export const exampleMandateId = 'mand_01KAK0Z7Q3C5D7E9F1G3H5J7KM';

const debitView = debitFields.meta({ id: 'Debit' });

export const mandateView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    checkoutId: z.string(),
    subscriptionId: z.string().nullable().meta({ description: 'Null until the first payment.' }),
    status: z.enum(MANDATE_STATUSES),
    amountKind: z.enum(MANDATE_AMOUNT_KINDS),
    amount: z.int().nullable().meta({ description: 'Cents of every debit; null if each names its own.' }),
    periodicity: z.enum(PRODUCT_CYCLES),
    url: z
      .string()
      .nullable()
      .meta({
        description:
          'The page on which the payer authorizes it; null if it was asked for with a payment, or waits no more.',
        example: `https://pay.example.com/authorize/${exampleMandateId}`,
      }),
    brCode: z.string().nullable().meta({
      description: "The code of that page, which asks for consent only: scan or paste it in the bank's app.",
    }),
    firstDate: z
      .string()
      .meta({ description: 'The expected day of the first debit.', example: '2027-01-04' }),
    endedBy: z.enum(MANDATE_ENDERS).nullable(),
    endCode: z.string().nullable().meta({ description: "The bank's code, such as `SLCR`." }),
    debits: z.array(debitView).meta({ description: 'The newest twelve, newest first.' }),
    activatedAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Mandate' });
export type ShownMandate = z.output<typeof mandateView>;

export const mandateQuery = z.object({ id: idText(exampleMandateId) });

export const listMandatesQuery = z.object({
  status: z.enum(MANDATE_STATUSES).optional(),
  subscriptionId: idText(exampleSubscriptionId).optional(),
  checkoutId: idText(exampleCheckoutId).optional(),
});
export type ListMandatesQuery = z.output<typeof listMandatesQuery>;

export const requestBody = z.strictObject({
  subscriptionId: idText(exampleSubscriptionId),
  pixAutomatic: pixAutomatic.optional().meta({
    description:
      '`fixed`: every debit is of the price of the plan. `variable`: each debit is of what its cycle costs. Without it: as the authorization ' +
      'that the subscription has, or as its checkout asked, or `fixed`.',
  }),
});
export type RequestMandateBody = z.output<typeof requestBody>;

export const cancelBody = z.strictObject({ id: idText(exampleMandateId) });

export const answerBody = z.strictObject({
  id: idText(exampleMandateId),
  answer: z.enum(['accept', 'refuse', 'cancel']).meta({
    description: 'What the payer does at their bank: `cancel` ends a mandate that was accepted.',
  }),
});

/** A mandate as the API returns it. */
export function presentMandate(
  mandate: Mandate,
  subscriptionId: SubscriptionId | null,
  debits: readonly Debit[],
  publicUrl: string,
): ShownMandate {
  const waitsFor = isWaiting(mandate) ? mandate : null;
  return {
    id: mandate.id,
    devMode: mandate.devMode,
    checkoutId: mandate.checkoutId,
    subscriptionId,
    status: mandate.status,
    amountKind: mandate.amountCents === null ? 'VARIABLE' : 'FIXED',
    amount: mandate.amountCents,
    periodicity: mandate.periodicity,
    url: waitsFor && publicUrl + consentPath(waitsFor),
    brCode: waitsFor?.consentCode ?? null,
    firstDate: mandate.firstDate,
    endedBy: mandate.endedBy,
    endCode: mandate.endCode,
    debits: debits.map(presentDebit),
    activatedAt: mandate.activatedAt?.toISOString() ?? null,
    endedAt: mandate.endedAt?.toISOString() ?? null,
    createdAt: mandate.createdAt.toISOString(),
    updatedAt: mandate.updatedAt.toISOString(),
  };
}

const exampleConsentCode = buildCompositeBrCode(
  { charge: null, mandate: 'pix.example.com/rec/7d9f0335b3a94c1ba9b8' },
  { merchantName: 'Loja Exemplo', merchantCity: 'SAO PAULO' },
);

export const exampleMandate: ShownMandate = {
  id: exampleMandateId,
  devMode: true,
  checkoutId: exampleCheckoutId,
  subscriptionId: exampleSubscriptionId,
  status: 'ACTIVE',
  amountKind: 'FIXED',
  amount: 4_900,
  periodicity: 'MONTHLY',
  url: null,
  brCode: null,
  firstDate: '2027-01-04',
  endedBy: null,
  endCode: null,
  debits: [
    {
      id: 'pix_char_01KAP4Q1S3V5X7Z9B1D3F5H7JK',
      devMode: true,
      cycleNumber: 2,
      amount: 4_900,
      dueDate: '2027-01-04',
      status: 'ORDERED',
      failure: null,
      createdAt: '2026-12-28T03:00:00.000Z',
    },
  ],
  activatedAt: '2026-12-04T14:25:32.118Z',
  endedAt: null,
  createdAt: '2026-12-04T14:24:02.004Z',
  updatedAt: '2026-12-04T14:25:32.118Z',
};

/** One that was just asked for without a payment. */
export const exampleRequestedMandate: ShownMandate = {
  ...exampleMandate,
  status: 'PENDING',
  url: `https://pay.example.com/authorize/${exampleMandateId}`,
  brCode: exampleConsentCode,
  debits: [],
  activatedAt: null,
};
