import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { InvoiceId, NfseId, StoreId } from '../../domain/ids.ts';
import type {
  DpsVersion,
  NfseCancellationReason,
  NfseError,
  NfseIssuer,
  NfseStatus,
  NfseTrigger,
} from '../../domain/nfse/nfse.ts';

/** Whether a store issues DPS for its invoices in an environment. A store that never wanted to has no row. */
export const NfseSettingsEntity = defineEntity({
  name: 'NfseSettings',
  tableName: 'nfse_settings',
  properties: {
    storeId: p.text().$type<StoreId>().primary(),
    devMode: p.boolean().primary(),
    isOn: p.boolean(),
    issuesOn: p.text().$type<NfseTrigger>(),
    issuer: p.json().columnType('json').$type<NfseIssuer>().strictNullable(),
    updatedAt: p.datetime(),
  },
});

/** The NFS-e of an invoice: one row per DPS id. An invoice has several if its DPS got another id, or after a cancellation. */
export const NfseEntity = defineEntity({
  name: 'Nfse',
  tableName: 'nfse',
  properties: {
    id: p.text().$type<NfseId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    invoiceId: p.text().$type<InvoiceId>(),
    status: p.text().$type<NfseStatus>(),
    dpsId: p.text(),
    series: p.integer(),
    /** Counts within the store, environment and series from 1, without gaps. */
    number: p.bigint('number'),
    /** How often its DPS was issued. */
    attempt: p.integer(),
    /** One per attempt. */
    versions: p.json().columnType('json').$type<readonly DpsVersion[]>(),
    /** The key of the NFS-e, once it was authorised. */
    accessKey: p.text().strictNullable(),
    authorizedAttempt: p.integer().strictNullable(),
    authorizedAt: p.datetime().strictNullable(),
    verificationUrl: p.text().strictNullable(),
    /** Of the last rejection. */
    errors: p.json().columnType('json').$type<readonly NfseError[]>().strictNullable(),
    rejectedAt: p.datetime().strictNullable(),
    /** When and why its cancellation became wanted, also before it was authorised. */
    cancellationRequestedAt: p.datetime().strictNullable(),
    cancellationReason: p.text().$type<NfseCancellationReason>().strictNullable(),
    /** When the request was published; null until the NFS-e is authorised. */
    cancellationPublishedAt: p.datetime().strictNullable(),
    /** Why the authority refused the cancellation. */
    cancellationErrors: p.json().columnType('json').$type<readonly NfseError[]>().strictNullable(),
    cancelledAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Nfse = InferEntity<typeof NfseEntity>;

/** The initial values of every new NFS-e. */
export const NEW_NFSE = {
  status: 'PENDING',
  attempt: 1,
  accessKey: null,
  authorizedAttempt: null,
  authorizedAt: null,
  verificationUrl: null,
  errors: null,
  rejectedAt: null,
  cancellationRequestedAt: null,
  cancellationReason: null,
  cancellationPublishedAt: null,
  cancellationErrors: null,
  cancelledAt: null,
} as const satisfies Partial<Nfse>;
