import { payerOf } from '../database/charge-payer.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { type ChargeStatus, FINAL_USAGE_SUBMISSION } from '../domain/charge.ts';
import { type CheckoutFrequency, linkableUrl, mayChargeAgain } from '../domain/checkout.ts';
import type { ChargeId, CheckoutId, ProductId, SavedCardId } from '../domain/ids.ts';
import { notYet } from '../providers/not-yet.ts';
import { type CardAnswer, keepsCards } from '../providers/ports/cards.ts';
import { portOf } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { acceptOrReturn } from './acceptance/accept-or-return.ts';
import { close } from './closing/close.ts';
import { closeCharge } from './closing/close-charge.ts';
import { failCharge } from './closing/fail-charge.ts';
import { confirmedPathOf } from './confirmed-path.ts';
import type { ChargeDeps } from './effects.ts';
import { type Loaded, statusOf } from './load-charge.ts';

const READ_CHECKOUT = statement<
  { checkoutId: CheckoutId },
  { frequency: CheckoutFrequency; upSellProductId: ProductId | null }
>(
  'read what a checkout keeps a card for',
  () => 'select frequency, up_sell_product_id as "upSellProductId" from checkouts where id = :checkoutId',
);

const READ_AGREEMENT = statement<{ savedCardId: SavedCardId }, { chargeId: ChargeId }>(
  'read with which charge a card was saved',
  () => 'select charge_id as "chargeId" from saved_cards where id = :savedCardId',
);

/** The payer's part in a card payment. */
interface Presence {
  /** The payer is not there to confirm the payment. */
  readonly isOffSession: boolean;
  /** The payer, who is there, has agreed to later charges. */
  readonly keepsCard: boolean;
}

/**
 * Charges the card of a PENDING charge and ends the charge by the issuer's answer. It can safely run again after a
 * crash: the provider charges once per reference.
 * @returns the charge's status. It stays PENDING while the payer confirms the payment at their bank.
 * @throws a retryable failure, with the provider's pause, while the issuer itself has not decided.
 */
export async function askIssuer(deps: ChargeDeps, loaded: Loaded, now: Date): Promise<ChargeStatus> {
  const { em, charge, provider } = loaded;
  const { id, cardToken, providerReference, amountCents, installmentsCount } = charge;
  // An earlier run may have charged the card and died before the answer, so the provider is asked.
  const cards = portOf(provider, 'cards');
  const lacksCard = cardToken === null && keepsCards(cards);
  if (lacksCard || !(await canStillBePaid(em, charge)))
    return close(deps, loaded, { status: 'CANCELLED' }, now);
  const presence = await presenceOf(em, charge);
  const answer = await cards.charge({
    chargeId: id,
    reference: providerReference,
    token: cardToken,
    amountCents,
    installmentsCount: installmentsCount ?? 1,
    payer: payerOf(charge),
    returnUrl: `${deps.publicUrl}${confirmedPathOf(charge)}`,
    ...presence,
    now,
  });
  if (answer.outcome === 'PENDING' || answer.outcome === 'REQUIRES_ACTION')
    return awaitDecision(deps, loaded, answer, presence, now);
  if (answer.outcome === 'DECLINED') {
    const { storeId, checkoutId, cycleId } = charge;
    deps.log.warn({ chargeId: id, storeId, checkoutId, cycleId, reason: answer.reason }, 'card declined');
    return failCharge(deps, em, charge, answer.reason, now);
  }
  const status = await acceptOrReturn(deps, em, charge, provider, answer.payment, now);
  // Another payment of the checkout was first, and this one has been returned.
  return status === 'PENDING' ? closeCharge(em, id, { status: 'CANCELLED' }, now) : status;
}

/**
 * What follows an answer that is not final. A payer who has to confirm gets the time that the provider allows. At its end,
 * and at once if no payer is present, the provider closes the payment, so that a late confirmation takes no money; a
 * payment that was made first is accepted or returned.
 */
export async function awaitDecision(
  deps: ChargeDeps,
  loaded: Loaded,
  answer: Extract<CardAnswer, { readonly pollAfterMs: number }>,
  { isOffSession }: Presence,
  now: Date,
): Promise<ChargeStatus> {
  const { em, charge, provider } = loaded;
  const { id, actionRequiredAt, closesAt } = charge;
  const isAction = answer.outcome === 'REQUIRES_ACTION';
  if (!isAction && actionRequiredAt === null)
    throw notYet('The issuer has not decided yet', answer.pollAfterMs);
  const isOver = actionRequiredAt !== null && now >= closesAt;
  if (isOver || isOffSession)
    return close(deps, loaded, { status: 'FAILED', failureReason: 'authentication_required' }, now);
  const url = isAction ? linkableUrl(answer.url) : null;
  if (isAction && url === null)
    throw new ProviderError('RETRY', 'the page of the confirmation has no web address');
  const until = new Date(now.getTime() + portOf(provider, 'cards').actionTimeoutMs);
  const [kept] = await KEEP_ACTION(em, { chargeId: id, url, now, until });
  if (kept === undefined) return statusOf(em, id);
  deps.awaitPayer?.(answer.pollAfterMs, kept.closesAt);
  return 'PENDING';
}

/** The first request of the issuer sets the deadline; a later one may only change the page. */
const KEEP_ACTION = statement<
  { chargeId: ChargeId; url: string | null; now: Date; until: Date },
  { closesAt: Date }
>(
  'keep the confirmation that a card payment needs',
  () => `
  update charges set action_url = coalesce(:url, action_url), action_required_at = coalesce(action_required_at, :now),
    closes_at = case when action_required_at is null then :until else closes_at end,
    expires_at = case when action_required_at is null then :until else expires_at end
  where id = :chargeId and status = 'PENDING'
  returning closes_at as "closesAt"`,
);

/** A saved card's first charge has its payer; later ones, cycles, and usage after the last cycle have none. */
async function presenceOf(em: Em, charge: Charge): Promise<Presence> {
  const { id, savedCardId, cycleId, submissionKey } = charge;
  if (cycleId !== null || submissionKey === FINAL_USAGE_SUBMISSION)
    return { isOffSession: true, keepsCard: true };
  if (savedCardId === null) return { isOffSession: false, keepsCard: await keepsCard(em, charge) };
  const [agreement] = await READ_AGREEMENT(em, { savedCardId });
  return { isOffSession: agreement?.chargeId !== id, keepsCard: true };
}

/** Whether the checkout charges the card again later: a subscription, or for the upsell that it offers. */
async function keepsCard(em: Em, { checkoutId, upsellOf }: Charge): Promise<boolean> {
  if (checkoutId === null || upsellOf !== null) return false;
  const [checkout] = await READ_CHECKOUT(em, { checkoutId });
  return checkout !== undefined && mayChargeAgain(checkout);
}

/**
 * Spares the payer a payment that would only be returned. The acceptance itself decides; this check only looks
 * ahead.
 */
export async function canStillBePaid(em: Em, { checkoutId, upsellOf, cycleId }: Charge): Promise<boolean> {
  if (checkoutId === null || upsellOf !== null) return true;
  const open = await em.execute<unknown[]>(
    cycleId !== null
      ? `select 1 from subscriptions where checkout_id = :checkoutId and status = 'ACTIVE' and paused_at is null`
      : `select 1 from checkouts where id = :checkoutId and (status = 'PENDING' or frequency = 'MULTIPLE_PAYMENTS')`,
    { checkoutId },
  );
  return open.length > 0;
}
