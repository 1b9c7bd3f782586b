import type { Logger } from 'pino';
import type { Debit } from '../database/entities/debit.ts';
import type { Mandate } from '../database/entities/mandate.ts';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ChargeId, MandateId } from '../domain/ids.ts';

interface MandateNoticeDeps {
  readonly database: Database;
  readonly log: Logger;
  /** Asks the provider how the mandate is, and records it. */
  readonly followMandate: (id: MandateId, now: Date) => Promise<unknown>;
  /** Has the workflow of a debit read its row. */
  readonly wakeDebit: (id: ChargeId) => void;
}

interface Noticed {
  /** The name of the account's provider, as in a charge. */
  readonly provider: string;
  readonly reference: string;
  readonly now: Date;
}

/**
 * Claims the look-up: one a minute for each mandate, however often its provider has news. The next round asks anyway if it was last asked a
 * day ago, or marked so. A mandate that has ended is not looked up.
 */
const CLAIM_LOOK_UP = statement<Noticed, Pick<Mandate, 'id'>>(
  'claim the look-up of a notified mandate',
  () => `
  update mandates set asked_at = :now
  where provider = :provider and provider_mandate_id = :reference and status in ('PENDING', 'ACTIVE')
    and asked_at <= cast(:now as timestamptz) - interval '1 minute'
    and asked_at > cast(:now as timestamptz) - interval '1 day'
  returning id`,
);

/** Has the next round of look-ups ask about it, which comes in some minutes. */
const ASK_IN_NEXT_ROUND = statement<Noticed>(
  'ask about a notified mandate in the next round',
  () => `
  update mandates set asked_at = cast(:now as timestamptz) - interval '1 day'
  where provider = :provider and provider_mandate_id = :reference and status in ('PENDING', 'ACTIVE')
    and asked_at > cast(:now as timestamptz) - interval '1 day'`,
);

/**
 * A bank has news of a mandate, which proves nothing: the bank is asked, at once or, if it was asked within the last minute or does not
 * answer, by the next round. Mandates that are unknown here, or have ended, are ignored.
 */
export async function takeMandateNotice(
  deps: MandateNoticeDeps,
  provider: string,
  reference: string,
  now: Date,
): Promise<void> {
  const noticed = { provider, reference, now };
  const [claimed] = await CLAIM_LOOK_UP(deps.database, noticed);
  try {
    if (claimed !== undefined) return void (await deps.followMandate(claimed.id, now));
  } catch (error) {
    deps.log.warn({ mandateId: claimed?.id, err: error }, 'mandate look-up failed');
  }
  await ASK_IN_NEXT_ROUND(deps.database, noticed);
}

/**
 * Has a debit looked up in a minute. More news within the minute changes nothing, so a flood costs one look-up a minute. One that is not
 * ordered yet has its order under way. Its `updated_at` stays: the time since the last change of its status counts from there.
 */
const LOOK_UP_SOON = statement<Noticed, Pick<Debit, 'id'>>(
  'look up a notified debit',
  () => `
  update debits debit set next_at = cast(:now as timestamptz) + interval '1 minute'
  from mandates mandate
  where mandate.id = debit.mandate_id and mandate.provider = :provider and debit.provider_reference = :reference
    and debit.status in ('ORDERED', 'BEGUN', 'DROPPING')
    and debit.next_at is not null and debit.next_at > cast(:now as timestamptz) + interval '1 minute'
  returning debit.id`,
);

/**
 * A bank has news of a debit, which proves nothing: its workflow asks the bank in a minute. Debits that are unknown here, belong to
 * another account, or have ended are ignored.
 */
export async function takeDebitNotice(
  deps: MandateNoticeDeps,
  provider: string,
  reference: string,
  now: Date,
): Promise<void> {
  for (const { id } of await LOOK_UP_SOON(deps.database, { provider, reference, now })) deps.wakeDebit(id);
}
