import type { Logger } from 'pino';
import { PayoutEntity } from '../database/entities/payout.ts';
import type { Database } from '../database/orm.ts';
import type { PayoutId } from '../domain/ids.ts';
import { transferOf } from '../payouts/transfer-of.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { bookTransfer } from './take-transfers.ts';

interface NoticeDeps {
  readonly database: Database;
  readonly log: Logger;
  /** Where payers reach this service, without a slash at the end. */
  readonly publicUrl: string;
}

/**
 * A provider notified news of a transfer: it is looked up at once, and what came back of it is booked. The notification is
 * only a hint: if it is lost or says something else, the rounds of listing find the same. A payout that is PENDING is left
 * to its workflow. What was not ordered from this account is left to the rounds, which note it for a person.
 * @throws what the provider throws, so that it notifies again.
 */
export async function takeSentNotice(
  { database, log, publicUrl }: NoticeDeps,
  provider: Pick<PaymentProvider, 'name' | 'findTransfer'>,
  reference: string,
  now: Date,
): Promise<void> {
  const where = { id: reference as PayoutId, provider: provider.name, devMode: false };
  const payout = await database.em.fork().findOne(PayoutEntity, where);
  if (payout === null) log.warn({ provider: provider.name }, 'notified transfer matches no payout');
  if (payout === null || payout.status === 'PENDING') return;
  const found = await provider.findTransfer(transferOf(payout, now));
  if (found.outcome !== 'COMPLETE') return;
  const { endToEndIdentifier, returns = [] } = found;
  await bookTransfer({ database, log, publicUrl, now }, payout, { endToEndIdentifier, returns });
}
