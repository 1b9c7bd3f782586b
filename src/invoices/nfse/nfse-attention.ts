import type { AttentionSubject } from '../../database/attention.ts';
import type { Nfse } from '../../database/entities/nfse.ts';

type Subject = Pick<Nfse, 'id' | 'invoiceId'>;

/** The note that a DPS was refused. */
export function rejectionOf({ id, invoiceId }: Subject): AttentionSubject {
  return { kind: 'NFSE_REJECTED', subjectId: `${id}/${invoiceId}` };
}

/** The note that a cancellation was refused. */
export function refusedCancellationOf({ id, invoiceId }: Subject): AttentionSubject {
  return { kind: 'NFSE_NOT_CANCELLED', subjectId: `${id}/${invoiceId}` };
}
