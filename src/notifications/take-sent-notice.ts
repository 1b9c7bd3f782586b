import type { Logger } from 'pino';
import { PayoutEntity } from '../database/entities/payout.ts';
import type { Database } from '../database/orm.ts';
import type { PayoutId } from '../domain/ids.ts';
import { transferOf } from '../payouts/transfer-of.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { portOf } from '../providers/provider.ts';
import { bookTransfer } from './take-transfers.ts';

interface NoticeDeps {
  readonly database: Database;
  readonly log: Logger;
  /** The URL at which payers reach this service, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * A provider notified news of a transfer: it is looked up at once, and its returns are booked. The notification is
 * only a hint: if it is lost or wrong, the reconciliation finds the same. A PENDING payout is left to its workflow.
 * A transfer that this account did not order is left to the reconciliation, which notes it for a person.
 * @throws what the provider throws, so that it notifies again.
 */
export async function takeSentNotice(
  { database, log, publicUrl }: NoticeDeps,
  provider: PaymentProvider,
  reference: string,
  now: Date,
): Promise<void> {
  const where = { id: reference as PayoutId, provider: provider.name, devMode: false };
  const payout = await database.em.fork().findOne(PayoutEntity, where);
  if (payout === null) log.warn({ provider: provider.name }, 'notified transfer matches no payout');
  if (payout === null || payout.status === 'PENDING') return;
  const found = await portOf(provider, 'payouts').find(transferOf(payout, now));
  if (found.outcome !== 'COMPLETE') return;
  const { endToEndIdentifier, returns = [] } = found;
  await bookTransfer({ database, log, publicUrl, now }, payout, { endToEndIdentifier, returns });
}
