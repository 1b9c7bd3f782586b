import { type NfseError, type NfseStatus, parseAccessKey } from './nfse.ts';

/** What a transmitter reports about a DPS, or about the NFS-e that was made of it. */
export type NfseReport =
  | {
      readonly status: 'AUTHORIZED';
      readonly attempt: number | null;
      readonly accessKey: string;
      readonly verificationUrl: string | null;
      readonly at: Date;
    }
  | {
      readonly status: 'REJECTED';
      readonly attempt: number | null;
      readonly errors: readonly NfseError[];
      readonly at: Date;
    }
  | { readonly status: 'CANCELLED'; readonly accessKey: string | null; readonly at: Date }
  | { readonly status: 'CANCELLATION_REFUSED'; readonly errors: readonly NfseError[] };

/** What an NFS-e is when a report arrives. */
export interface ReportedNfse {
  readonly status: NfseStatus;
  readonly attempt: number;
  readonly accessKey: string | null;
  /** The CNPJs of its DPS. */
  readonly taxIds: readonly string[];
}

/** What a report changes. */
export interface NfseChange {
  readonly status?: NfseStatus;
  readonly accessKey?: string;
  readonly authorizedAttempt?: number;
  readonly authorizedAt?: Date;
  readonly verificationUrl?: string | null;
  readonly errors?: readonly NfseError[];
  readonly rejectedAt?: Date;
  readonly cancellationErrors?: readonly NfseError[] | null;
  readonly cancelledAt?: Date;
}

export type NfseRefusal = 'UNKNOWN_ATTEMPT' | 'ATTEMPT_MISSING' | 'OTHER_ACCESS_KEY' | 'NEVER_AUTHORIZED';

/**
 * What becomes of an NFS-e by a report. Reports may come twice and in any order. The authority makes at most one NFS-e of a DPS id, so
 * AUTHORIZED is true whatever came before, and a later rejection means that the same DPS was sent again. Nothing follows CANCELLED.
 * @returns the change, null if there is none, or why the report cannot be true.
 */
export function changeBy(nfse: ReportedNfse, report: NfseReport): NfseChange | NfseRefusal | null {
  switch (report.status) {
    case 'AUTHORIZED':
      return authorizedBy(nfse, report);
    case 'REJECTED':
      return rejectedBy(nfse, report);
    case 'CANCELLED':
      return cancelledBy(nfse, report);
    case 'CANCELLATION_REFUSED':
      return nfse.status === 'AUTHORIZED' ? { cancellationErrors: report.errors } : null;
  }
}

type Reported<Status extends NfseReport['status']> = Extract<NfseReport, { readonly status: Status }>;

function authorizedBy(
  nfse: ReportedNfse,
  { attempt, accessKey, verificationUrl, at }: Reported<'AUTHORIZED'>,
): NfseChange | NfseRefusal | null {
  if ((attempt ?? 1) > nfse.attempt) return 'UNKNOWN_ATTEMPT';
  if (nfse.accessKey === accessKey) return null;
  if (nfse.accessKey !== null || !isOf(nfse, accessKey)) return 'OTHER_ACCESS_KEY';
  const authorizedAttempt = attempt ?? nfse.attempt;
  return { status: 'AUTHORIZED', accessKey, authorizedAttempt, authorizedAt: at, verificationUrl };
}

function rejectedBy(
  nfse: ReportedNfse,
  { attempt, errors, at }: Reported<'REJECTED'>,
): NfseChange | NfseRefusal | null {
  if ((attempt ?? 1) > nfse.attempt) return 'UNKNOWN_ATTEMPT';
  // It may be the rejection of an earlier attempt, repeated: that must not reject the current one.
  if (attempt === null && nfse.attempt > 1 && nfse.status === 'PENDING') return 'ATTEMPT_MISSING';
  const isCurrent = (attempt ?? nfse.attempt) === nfse.attempt;
  return nfse.status === 'PENDING' && isCurrent ? { status: 'REJECTED', errors, rejectedAt: at } : null;
}

/** It may arrive before the report that the NFS-e was authorised. */
function cancelledBy(
  nfse: ReportedNfse,
  { accessKey, at }: Reported<'CANCELLED'>,
): NfseChange | NfseRefusal | null {
  if (nfse.accessKey === null) {
    if (accessKey === null) return 'NEVER_AUTHORIZED';
    if (!isOf(nfse, accessKey)) return 'OTHER_ACCESS_KEY';
    return { status: 'CANCELLED', accessKey, authorizedAttempt: nfse.attempt, cancelledAt: at };
  }
  if (accessKey !== null && accessKey !== nfse.accessKey) return 'OTHER_ACCESS_KEY';
  return nfse.status === 'CANCELLED' ? null : { status: 'CANCELLED', cancelledAt: at };
}

/** The key contains the tax id of the store. */
function isOf({ taxIds }: ReportedNfse, accessKey: string): boolean {
  return taxIds.includes(parseAccessKey(accessKey)?.taxId ?? '');
}
