import { z } from 'zod';
import { NFSE_STATUSES, parseAccessKey } from '../../../domain/nfse/nfse.ts';
import type { NfseReport } from '../../../domain/nfse/report.ts';
import { idText, text } from '../../../wire/fields.ts';
import { exampleInvoice } from '../../../wire/invoice.ts';
import { exampleAccessKey, exampleNfse } from '../../../wire/nfse.ts';
import { createdRange, instantText } from '../../frame/time-range.ts';

const id = idText(exampleNfse.id);

export const nfseQuery = z.object({ id });

export const listNfseQuery = z.object({
  status: z.enum(NFSE_STATUSES).optional(),
  invoiceId: idText(exampleInvoice.id).optional(),
  ...createdRange,
});
export type ListNfseQuery = z.output<typeof listNfseQuery>;

const ATTEMPT_RULE = 'must be a whole number from 1, in digits only';

export const dpsQuery = z.object({
  id,
  attempt: z
    .string({ error: ATTEMPT_RULE })
    .regex(/^[1-9]\d{0,5}$/, { error: ATTEMPT_RULE })
    .transform(Number)
    .optional()
    .meta({
      description: 'By default the authorised attempt, else the last one.',
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: 'integer', minimum: 1 });
      },
    }),
});

export const issueNfseBody = z.strictObject({
  invoiceId: idText(exampleInvoice.id),
  omitPayer: z.boolean().optional().meta({
    description:
      'Leaves the payer out of the DPS, for example because the authority does not know the tax id that was given.',
  }),
});

export const cancelNfseBody = z.strictObject({ id });

const REPORTS = ['AUTHORIZED', 'REJECTED', 'CANCELLED', 'CANCELLATION_REFUSED'] as const;

const error = z.strictObject({
  code: text(1, 20).nullish().meta({ example: 'E0188' }),
  message: text(1, 1_000).meta({ example: 'CNPJ do prestador inexistente' }),
});

export const reportNfseBody = z
  .strictObject({
    id,
    status: z.enum(REPORTS).meta({
      description:
        'What the authority answered. `CANCELLATION_REFUSED`: it does not cancel the NFS-e, which stays `AUTHORIZED`.',
    }),
    attempt: z.int().min(1).max(999_999).nullish().meta({
      description:
        'The attempt that was transmitted, from the event. By default the last one. Needed for the rejection of a DPS that was issued again.',
      example: 1,
    }),
    accessKey: z
      .string()
      .refine((key) => parseAccessKey(key) !== null, {
        error: 'must be an access key of an NFS-e: 50 digits, or letters within the CNPJ',
      })
      .nullish()
      .meta({
        description: 'Needed for `AUTHORIZED`, and for `CANCELLED` if `AUTHORIZED` was never reported.',
        example: exampleAccessKey,
      }),
    verificationUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(2_048)
      .nullish()
      .meta({ description: 'Where people verify the NFS-e. With `AUTHORIZED` only.' }),
    errors: z.array(error).min(1).max(50).nullish().meta({
      description: 'Needed for `REJECTED` and `CANCELLATION_REFUSED`.',
    }),
    at: instantText('first').nullish().meta({
      description: 'When the authority did so. By default now.',
      example: '2026-12-04T14:25:40Z',
    }),
  })
  .superRefine(({ status, ...given }, context) => {
    for (const name of ['accessKey', 'verificationUrl', 'errors', 'attempt', 'at'] as const) {
      const isGiven = given[name] !== undefined && given[name] !== null;
      const isNeeded = NEEDED[status].includes(name);
      if (isNeeded && !isGiven)
        context.addIssue({ code: 'custom', path: [name], message: `is required for ${status}` });
      if (isGiven && !isNeeded && !POSSIBLE[status].includes(name))
        context.addIssue({ code: 'custom', path: [name], message: `does not belong to ${status}` });
    }
  });
export type ReportNfseBody = z.output<typeof reportNfseBody>;

const NEEDED: Readonly<Record<(typeof REPORTS)[number], readonly string[]>> = {
  AUTHORIZED: ['accessKey'],
  REJECTED: ['errors'],
  CANCELLED: [],
  CANCELLATION_REFUSED: ['errors'],
};
const POSSIBLE: typeof NEEDED = {
  AUTHORIZED: ['verificationUrl', 'attempt', 'at'],
  REJECTED: ['attempt', 'at'],
  CANCELLED: ['accessKey', 'at'],
  CANCELLATION_REFUSED: [],
};

/** The report that a body makes. @param now if it does not say when. */
export function reportIn(body: ReportNfseBody, now: Date): NfseReport {
  const { status, accessKey = null, verificationUrl = null, attempt = null, at } = body;
  const errors = (body.errors ?? []).map(({ code = null, message }) => ({ code, message }));
  const when = at ?? now;
  switch (status) {
    case 'AUTHORIZED':
      return { status, attempt, accessKey: accessKey ?? '', verificationUrl, at: when };
    case 'REJECTED':
      return { status, attempt, errors, at: when };
    case 'CANCELLED':
      return { status, accessKey, at: when };
    case 'CANCELLATION_REFUSED':
      return { status, errors };
  }
}
