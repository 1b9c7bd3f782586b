import type { Logger } from 'pino';
import { noteAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import type { ProviderAccountId } from '../domain/ids.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import { storeOfAccount, unnotedPayments } from './provider-listings.ts';

interface NoteDeps {
  readonly database: Database;
  readonly log: Logger;
}

/**
 * Notes payments of an account that belong to no charge here. Each is noted once, even if a person has resolved it,
 * since it is listed repeatedly. @returns the number of new notes.
 */
export async function noteUnknownPayments(
  { database, log }: NoteDeps,
  accountId: ProviderAccountId,
  payments: readonly Pick<ProviderPayment, 'providerPaymentId'>[],
  now: Date,
): Promise<number> {
  const subjectIds = payments.map(({ providerPaymentId }) => `${accountId}/${providerPaymentId}`);
  const unnoted = await unnotedPayments(database, { subjectIds });
  if (unnoted.length === 0) return 0;
  const [account] = await storeOfAccount(database, { id: accountId });
  const storeId = account?.storeId ?? null;
  let count = 0;
  for (const { subjectId } of unnoted) {
    const noted = { kind: 'UNKNOWN_PAYMENT', subjectId, storeId, devMode: false, since: now, now } as const;
    if (await noteAttention(database, noted, log)) count += 1;
  }
  return count;
}
