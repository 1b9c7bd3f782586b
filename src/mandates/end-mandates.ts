import { type Mandate, MandateEntity } from '../database/entities/mandate.ts';
import { statement } from '../database/statement.ts';
import { portOf } from '../providers/provider.ts';
import { issuerOrRetry } from '../providers/serving-provider.ts';
import type { MandateDeps } from './effects.ts';

/** More wait for the next round. A bank that hangs must not fill it. */
const MOST = 100;

/**
 * Mandates under which nothing will be debited any more: their subscription has ended, or is paid in another way. Of one whose payer was
 * asked without paying nothing is left once its checkout has ended. The newest request of a consent waits for its payer.
 */
const UNWANTED = statement<{ most: number }, Mandate>(
  'find mandates that nobody needs any more',
  (columns) => `
  select ${columns.read(MandateEntity, 'mandate')} from mandates mandate
    join checkouts checkout on checkout.id = mandate.checkout_id
    left join subscriptions subscription on subscription.id = checkout.subscription_id
  where mandate.status in ('PENDING', 'ACTIVE') and case
    when subscription.id is null then checkout.status in ('EXPIRED', 'CANCELLED')
    when subscription.status = 'CANCELLED' or mandate.end_requested_at is not null then true
    when mandate.consent_code is not null and mandate.status = 'PENDING' then exists (
      select from mandates newer where newer.checkout_id = mandate.checkout_id and newer.consent_code is not null
        and newer.created_at > mandate.created_at)
    else subscription.mandate_id is distinct from mandate.id end
  order by mandate.asked_at, mandate.id limit :most`,
);

/**
 * Ends unwanted mandates at their providers. Their debits are cancelled one by one before (`advanceDebit`). What fails now is repeated by
 * the next round.
 * @returns the number of ended ones.
 */
export async function endMandates(deps: MandateDeps, now: Date, isOver: () => void): Promise<number> {
  let ended = 0;
  for (const mandate of await UNWANTED(deps.database, { most: MOST })) {
    isOver();
    try {
      if (await endMandate(deps, mandate, now)) ended += 1;
    } catch (error) {
      deps.log.warn({ mandateId: mandate.id, err: error }, 'a mandate could not be ended yet');
      // Others come first in the next round.
      await deps.database.em.fork().nativeUpdate(MandateEntity, { id: mandate.id }, { askedAt: now });
    }
  }
  return ended;
}

async function endMandate(deps: MandateDeps, mandate: Mandate, now: Date): Promise<boolean> {
  const provider = await issuerOrRetry(deps, mandate);
  const answer = await portOf(provider, 'mandates').cancel(mandate.providerMandateId, now);
  if (answer.outcome === 'PENDING') return false;
  const status = answer.outcome === 'CANCELLED' ? 'CANCELLED' : answer.status;
  const change = { status, endedBy: mandate.endedBy ?? ('RECEIVER' as const), endedAt: now, updatedAt: now };
  const open = { id: mandate.id, status: { $in: ['PENDING' as const, 'ACTIVE' as const] } };
  await deps.database.em.fork().nativeUpdate(MandateEntity, open, change);
  return true;
}
