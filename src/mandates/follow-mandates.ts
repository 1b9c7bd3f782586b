import type { Mandate } from '../database/entities/mandate.ts';
import { statement } from '../database/statement.ts';
import type { MandateId, StoreId } from '../domain/ids.ts';
import type { MandateDeps } from './effects.ts';
import { followMandate } from './follow-mandate.ts';

/** More wait for the next round. A bank that hangs must not fill it. */
const MOST = 100;

/**
 * Mandates of subscriptions that nobody has asked about for a day. One that its payer has not answered is asked about each time on its
 * first day: the bank may lag behind the payment, and payers answer within minutes. In dev mode: requests of one store that wait.
 */
const NOT_ASKED_ABOUT = statement<{ now: Date; most: number; storeId: StoreId | null }, Pick<Mandate, 'id'>>(
  'find mandates to ask about',
  () => `
  select mandate.id from mandates mandate
    join checkouts checkout on checkout.id = mandate.checkout_id
    join subscriptions subscription on subscription.id = checkout.subscription_id
      and subscription.status = 'ACTIVE' and (subscription.mandate_id = mandate.id
        or mandate.status = 'PENDING' and mandate.consent_code is not null and mandate.end_requested_at is null)
  where mandate.status in ('PENDING', 'ACTIVE') and case when :storeId::text is null
    then not mandate.dev_mode and mandate.asked_at <= cast(:now as timestamptz) - case
      when mandate.status = 'PENDING' and mandate.created_at > cast(:now as timestamptz) - interval '1 day'
      then interval '5 minutes' else interval '1 day' end
    else mandate.dev_mode and mandate.store_id = :storeId and mandate.status = 'PENDING' and mandate.consent_code is not null end
  order by mandate.asked_at, mandate.id limit :most`,
);

/** It is asked about again in an hour, so others come first. */
const POSTPONE = statement<{ id: MandateId; now: Date }>(
  'postpone a mandate',
  () => `update mandates set asked_at = cast(:now as timestamptz) - interval '23 hours' where id = :id`,
);

/**
 * Asks banks how mandates are that payers may have ended there. Without that, an end would be noticed when the next debit is ordered, which
 * may be a year later. What fails now is repeated by the next round.
 * @param devStoreId the store whose requests in dev mode are asked about, which the sandbox lets expire; null for production.
 * @returns the number of mandates that were asked about.
 */
export async function followMandates(
  deps: MandateDeps,
  now: Date,
  isOver: () => void = () => {},
  devStoreId: StoreId | null = null,
): Promise<number> {
  let asked = 0;
  for (const { id } of await NOT_ASKED_ABOUT(deps.database, { now, most: MOST, storeId: devStoreId })) {
    isOver();
    try {
      await followMandate(deps, id, now);
      asked += 1;
    } catch (error) {
      deps.log.warn({ mandateId: id, err: error }, 'mandate look-up failed');
      await POSTPONE(deps.database, { id, now });
    }
  }
  return asked;
}
