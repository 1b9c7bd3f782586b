import { hash, randomUUID } from 'node:crypto';
import { takeCardToken } from '../../cards/card-tokens.ts';
import { acceptedCard, type EnteredCard, refuseWrongCard } from '../../checkouts/entered-card.ts';
import { PaymentRefusal } from '../../checkouts/payment-refusal.ts';
import { providerOrRefusal } from '../../checkouts/provider-or-refusal.ts';
import type { CardChange } from '../../database/entities/card-change.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { DeclineReason, TypedCard } from '../../domain/card.ts';
import {
  advanceCardChange,
  type CardChangeDeps,
} from '../../subscriptions/card-change/advance-card-change.ts';
import {
  findCardChangeOfForm,
  hasTriedTooManyCards,
  insertCardChange,
  MOST_CARDS_IN_HOUR,
} from '../../subscriptions/card-change/begin-card-change.ts';
import type { CardChangeMoment } from '../../subscriptions/card-change/end-as-unused.ts';
import { deliveryWorkflowStart } from '../../temporal/delivery.ts';
import type { AppDeps } from '../frame/deps.ts';
import { ApiError, brokenRule, outOfReach } from '../frame/errors.ts';
import { reachTemporal, withinTime } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireProvider } from '../frame/require-provider.ts';
import { typedCard } from '../transparents/chosen-card.ts';
import { requireSubscription } from './queries.ts';

/** How long a request waits for a run to learn that an attempt is due. The auditor notices otherwise. */
const WOKEN_WITHIN_MS = 4_500;

/** What advancing a change of card causes, for a request. */
export function cardChangeDeps(deps: AppDeps, requestId: string | null): CardChangeDeps {
  const { database, providers, publicUrl, starter, subscriptionUpdates, temporal, wakeDebit, log } = deps;
  return {
    database,
    providers,
    publicUrl,
    wakeDebit,
    startDelivery: (delivery) => void starter.startSoon(deliveryWorkflowStart(delivery)),
    attemptNow: async (subscription) => {
      try {
        await withinTime(temporal, WOKEN_WITHIN_MS, () =>
          subscriptionUpdates.attemptNow(subscription, requestId),
        );
      } catch (error) {
        log.warn({ subscriptionId: subscription.id, err: error }, 'due attempt not started at once');
      }
    },
  };
}

/** A card that a payer has entered in a form. */
export interface EnteredInForm {
  readonly card: EnteredCard | null;
  /** The form's id, bound to its subscription. */
  readonly submission: string;
  /** What else belongs into the transaction that stores the change, as its last statement. */
  readonly alsoIn: (tx: Em) => Promise<void>;
}

/**
 * Begins to replace the card of a subscription by one that its payer has entered: the provider accepts it, and the change is
 * stored. {@link continueCardChange} has it verified. A form that is sent twice is one change.
 * @throws PaymentRefusal if the card cannot be used; nothing is stored then.
 */
export async function beginCardChange(
  deps: AppDeps,
  em: Em,
  subscription: Subscription,
  { card, submission, alsoIn }: EnteredInForm,
  { realNow, storeNow }: CardChangeMoment,
): Promise<CardChange> {
  const before = await findCardChangeOfForm(em, subscription.id, submission);
  if (before !== null) return before;
  const { name: provider, cards } = await providerOrRefusal(deps, subscription, 'CARD');
  refuseWrongCard(cards.entry, card, storeNow);
  if (await hasTriedTooManyCards(em, subscription, realNow)) throw new PaymentRefusal('TOO_MANY_ATTEMPTS');
  const accepted = await acceptedCard(cards.entry, card, {
    submissionKey: hash('sha256', `card change\n${submission}`),
    payer: await payerOf(em, subscription),
    keepsCard: true,
    isFree: false,
  });
  return em.fork().transactional(async (tx) => {
    const change = await insertCardChange(tx, subscription, {
      submission,
      provider,
      card: accepted,
      now: realNow,
    });
    await alsoIn(tx);
    return change;
  });
}

/** Asks the provider about the new card, and takes over the answer. @see advanceCardChange */
export function continueCardChange(
  deps: AppDeps,
  change: CardChange,
  { returnUrl, requestId }: { readonly returnUrl: string; readonly requestId: string | null },
  moment: CardChangeMoment,
): Promise<CardChange> {
  return advanceCardChange(cardChangeDeps(deps, requestId), change, returnUrl, moment);
}

async function payerOf(em: Em, { customerId }: Subscription) {
  const customer = customerId && (await em.findOne(CustomerEntity, { id: customerId }));
  return { name: customer ? customer.name : null, taxId: customer ? customer.taxId : null };
}

/**
 * Charges a subscription to a card that its payer has just typed on the shop's page, instead of its card or by PIX.
 * @throws ApiError 404 if the token is unknown; 422 if the token cannot be used, or the card is declined, also if its bank wants
 *   the payer's confirmation; 503 if the provider does not answer in time.
 */
export async function replaceCardBy(
  request: ApiRequest,
  subscription: Subscription,
  token: string,
): Promise<Subscription> {
  const { em, key, deps, now, realNow, requestId } = request;
  const submission = hash('sha256', `card token\n${token}`);
  const change =
    (await findCardChangeOfForm(em, subscription.id, submission)) ??
    (await storeTyped(request, subscription, token, submission));
  // A repeated token returns the result of the first request.
  await request.expectLine(subscription.id, { fields: ['card'] }, [change.id]);
  const moment = { realNow, storeNow: now };
  const returnUrl = deps.publicUrl;
  const changed = await reachTemporal(request, () =>
    continueCardChange(deps, change, { returnUrl, requestId }, moment),
  );
  if (changed.status === 'DONE') return requireSubscription(em, key, subscription.id);
  if (changed.status === 'DECLINED') throw declined(changed.declineReason ?? 'card_declined');
  if (changed.status === 'PENDING' && changed.actionUrl === null)
    throw outOfReach('The card is still being verified; repeat the request to get the result');
  // Nobody is there to confirm it. Its change ends by itself.
  throw declined('authentication_required');
}

/**
 * Enters a test card as a payer does in the portal, in dev mode.
 * @throws ApiError 422 if it is no test card, or is declined.
 */
export async function enterTestCard(
  request: ApiRequest,
  subscription: Subscription,
  { number, expiry }: Pick<TypedCard, 'number' | 'expiry'>,
): Promise<Subscription> {
  const { em, deps, now, realNow, requestId, key } = request;
  const moment = { realNow, storeNow: now };
  const typed = { number, expiry, holderName: 'TEST CARD', cvv: '123' };
  const entered = { card: { typed }, submission: randomUUID(), alsoIn: async () => undefined };
  const change = await beginCardChange(deps, em, subscription, entered, moment).catch((error: unknown) => {
    if (error instanceof PaymentRefusal)
      throw brokenRule(
        'CARD_NOT_ACCEPTED',
        'number',
        'must be one of the test cards, with a month that is not past',
      );
    throw error;
  });
  const at = { returnUrl: deps.publicUrl, requestId };
  const changed = await reachTemporal(request, () => continueCardChange(deps, change, at, moment));
  if (changed.status === 'DONE') return requireSubscription(em, key, subscription.id);
  throw declined(changed.declineReason ?? 'authentication_required');
}

async function storeTyped(
  request: ApiRequest,
  subscription: Subscription,
  token: string,
  submission: string,
): Promise<CardChange> {
  const { em, realNow } = request;
  const provider = await requireProvider(request, 'CARD', null);
  const payer = await payerOf(em, subscription);
  const { typed, card } = await typedCard(request, token, payer, provider, 'card.token');
  if (await hasTriedTooManyCards(em, subscription, realNow)) throw tooManyCards();
  return em.fork().transactional(async (tx) => {
    const given = { submission, provider: provider.name, card, now: realNow };
    const change = await insertCardChange(tx, subscription, given);
    if (!(await takeCardToken(tx, typed.id, change.id, realNow)))
      throw brokenRule('CARD_TOKEN_USED', 'card.token', 'was used meanwhile; ask the payer again');
    return change;
  });
}

function tooManyCards(): ApiError {
  const message = `More than ${MOST_CARDS_IN_HOUR} cards were tried for this subscription within an hour; retry later`;
  return new ApiError(422, 'CARD_NOT_ACCEPTED', message);
}

function declined(declineReason: DeclineReason): ApiError {
  const message = `The card was declined: ${declineReason}. The subscription keeps its card`;
  return new ApiError(422, 'CARD_DECLINED', message, undefined, {}, { declineReason });
}
