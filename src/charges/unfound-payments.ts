import type { Charge } from '../database/entities/charge.ts';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ChargeStatus } from '../domain/charge.ts';

/**
 * Payments that a provider notified or listed but does not find. They are stored as attention of the kind
 * PAYMENT_NOT_FOUND: the subject names the account, the payment and the charge.
 */

/** The subject of such a note: the account, a stroke, the provider's id of the payment, a stroke, and the charge. */
export function unfoundSubject(
  { provider, id }: Pick<Charge, 'provider' | 'id'>,
  providerPaymentId: string,
): string {
  return `${provider}/${providerPaymentId}/${id}`;
}

const WAS_NOTED = statement<{ subjectId: string }, { id: string }>(
  'whether an unfound payment was noted',
  () => `select id from attention where kind = 'PAYMENT_NOT_FOUND' and subject_id = :subjectId limit 1`,
);

/** Whether it has a note, open or resolved. */
export async function wasNotedUnfound(database: Database, subjectId: string): Promise<boolean> {
  return (await WAS_NOTED(database, { subjectId })).length > 0;
}

/** The payments of an account's charges that have a note, open or resolved. */
export const notedUnfound = statement<
  { provider: string; providerPaymentIds: readonly string[]; references: readonly string[] },
  { providerPaymentId: string; reference: string }
>(
  'listed payments that are noted as unfound',
  () => `
  select listed.payment_id as "providerPaymentId", listed.reference
  from unnest(:providerPaymentIds::text[], :references::text[]) listed (payment_id, reference)
    join charges charge on charge.provider = :provider and charge.provider_reference = listed.reference
  where exists (
    select from attention where kind = 'PAYMENT_NOT_FOUND'
      and subject_id = :provider::text || '/' || listed.payment_id || '/' || charge.id
  )`,
);

/** A payment with an open note. */
export interface UnfoundPayment {
  readonly subjectId: string;
  readonly providerPaymentId: string;
  /** Whether it has been found meanwhile, and is recorded. */
  readonly isWritten: boolean;
}

/** The open ones of an account, oldest first: those noted since an instant, or all. */
export const openUnfound = statement<{ provider: string; notedSince: Date }, UnfoundPayment>(
  'open unfound payments',
  () => `
  with open as (
    select subject_id, since,
      substring(substring(subject_id from length(:provider::text) + 2) from '^(.*)/[^/]*$') as payment_id
    from attention
    where kind = 'PAYMENT_NOT_FOUND' and resolved_at is null and starts_with(subject_id, :provider::text || '/')
      and noted_at >= :notedSince
  )
  select open.subject_id as "subjectId", open.payment_id as "providerPaymentId", exists (
      select from payments where provider = :provider and provider_payment_id = open.payment_id
    ) as "isWritten"
  from open order by since, open.subject_id`,
);

const STATUS_IF_WRITTEN = statement<
  { provider: string; reference: string; providerPaymentId: string },
  { status: ChargeStatus }
>(
  'status of a charge whose payment is written',
  () => `
  select status from charges
  where provider = :provider and provider_reference = :reference
    and exists (select from payments where provider = :provider and provider_payment_id = :providerPaymentId)`,
);

/** The status of a charge in its row; null while the named payment has no row. */
export async function statusIfWritten(
  database: Database,
  named: { readonly provider: string; readonly reference: string; readonly providerPaymentId: string },
): Promise<ChargeStatus | null> {
  const [charge] = await STATUS_IF_WRITTEN(database, named);
  return charge?.status ?? null;
}
