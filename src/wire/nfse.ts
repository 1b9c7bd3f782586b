import { z } from 'zod';
import type { Nfse } from '../database/entities/nfse.ts';
import { NFSE_CANCELLATION_REASONS, NFSE_STATUSES, parseAccessKey } from '../domain/nfse/nfse.ts';
import { timestamp } from './fields.ts';
import { exampleInvoice } from './invoice.ts';

export const nfseError = z
  .strictObject({
    code: z.string().nullable().meta({ description: 'Of the tax authority.', example: 'E0188' }),
    message: z.string(),
  })
  .meta({ id: 'NfseError' });

/** The fields of an NFS-e in responses and events. */
export const publishedNfse = z
  .strictObject({
    id: z.string(),
    invoiceId: z.string(),
    devMode: z.boolean().meta({ description: 'Test documents are marked as such (`tpAmb` is 2).' }),
    status: z.enum(NFSE_STATUSES).meta({
      description:
        '`PENDING`: the DPS waits for its transmission or for the answer. `AUTHORIZED`: the NFS-e exists. `REJECTED`: the authority refused the DPS; issue it again after mending the data. `CANCELLED`: the NFS-e was cancelled.',
    }),
    dpsId: z.string().meta({
      description: 'The `Id` of the DPS: municipality, CNPJ, series and number, as the standard derives it.',
    }),
    series: z.int(),
    dpsNumber: z.int().meta({
      description: 'Counts within the store, environment and series, without gaps.',
    }),
    attempt: z.int().meta({ description: 'How often the DPS was issued. Each rejection allows another.' }),
    dpsPath: z.string().meta({ description: 'Where the API has the XML of this attempt.' }),
    issuedAt: timestamp.meta({ description: 'When this attempt was issued.' }),
    accessKey: z
      .string()
      .nullable()
      .meta({ description: 'Chave de acesso: 50 characters. Null until then.' }),
    nfseNumber: z.int().nullable().meta({ description: 'The number of the NFS-e, from its access key.' }),
    verificationUrl: z.string().nullable().meta({ description: 'As the transmitter reported it.' }),
    authorizedAttempt: z.int().nullable(),
    authorizedAt: timestamp.nullable(),
    errors: z.array(nfseError).meta({ description: 'Of the last rejection.' }),
    rejectedAt: timestamp.nullable(),
    cancellation: z
      .strictObject({
        reason: z.enum(NFSE_CANCELLATION_REASONS),
        requestedAt: timestamp,
        errors: z.array(nfseError).meta({ description: 'Why the authority refused to cancel it.' }),
      })
      .nullable()
      .meta({
        id: 'NfseCancellation',
        description:
          'Why it has to be cancelled: the payment was refunded in full, the invoice became void, a request asked for it, or the invoice has another NFS-e. A DPS that is still `PENDING` then need not be transmitted.',
      }),
    cancelledAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Nfse' });
export type PublishedNfse = z.output<typeof publishedNfse>;

export function presentNfse(nfse: Nfse): PublishedNfse {
  const { id, attempt, cancellationRequestedAt, cancellationReason } = nfse;
  return {
    id,
    invoiceId: nfse.invoiceId,
    devMode: nfse.devMode,
    status: nfse.status,
    dpsId: nfse.dpsId,
    series: nfse.series,
    dpsNumber: nfse.number,
    attempt,
    dpsPath: `/v2/invoices/dps?id=${id}&attempt=${attempt}`,
    issuedAt: nfse.versions.at(-1)?.issuedAt ?? nfse.createdAt.toISOString(),
    accessKey: nfse.accessKey,
    nfseNumber: parseAccessKey(nfse.accessKey ?? '')?.number ?? null,
    verificationUrl: nfse.verificationUrl,
    authorizedAttempt: nfse.authorizedAttempt,
    authorizedAt: nfse.authorizedAt?.toISOString() ?? null,
    errors: [...(nfse.errors ?? [])],
    rejectedAt: nfse.rejectedAt?.toISOString() ?? null,
    cancellation:
      cancellationRequestedAt === null || cancellationReason === null
        ? null
        : {
            reason: cancellationReason,
            requestedAt: cancellationRequestedAt.toISOString(),
            errors: [...(nfse.cancellationErrors ?? [])],
          },
    cancelledAt: nfse.cancelledAt?.toISOString() ?? null,
    createdAt: nfse.createdAt.toISOString(),
    updatedAt: nfse.updatedAt.toISOString(),
  };
}

const id = 'nfse_01KAP4Q1S9V5X7Z9B1D3F5H7JK';

export const exampleNfse: PublishedNfse = {
  id,
  invoiceId: exampleInvoice.id,
  devMode: true,
  status: 'PENDING',
  dpsId: 'DPS355030821122233300018100001000000000000001',
  series: 1,
  dpsNumber: 1,
  attempt: 1,
  dpsPath: `/v2/invoices/dps?id=${id}&attempt=1`,
  issuedAt: '2026-12-04T14:25:31.504Z',
  accessKey: null,
  nfseNumber: null,
  verificationUrl: null,
  authorizedAttempt: null,
  authorizedAt: null,
  errors: [],
  rejectedAt: null,
  cancellation: null,
  cancelledAt: null,
  createdAt: '2026-12-04T14:25:31.504Z',
  updatedAt: '2026-12-04T14:25:31.504Z',
};

export const exampleAccessKey = '35503082211222333000181000000000004226121234567890';

export const exampleAuthorizedNfse: PublishedNfse = {
  ...exampleNfse,
  status: 'AUTHORIZED',
  accessKey: exampleAccessKey,
  nfseNumber: 42,
  verificationUrl: `https://www.nfse.gov.br/ConsultaPublica/?chave=${exampleAccessKey}`,
  authorizedAttempt: 1,
  authorizedAt: '2026-12-04T14:25:40.000Z',
  updatedAt: '2026-12-04T14:25:41.120Z',
};
