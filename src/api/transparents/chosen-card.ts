import { hash } from 'node:crypto';
import { findCardToken, takeCardToken } from '../../cards/card-tokens.ts';
import { findSavedCard, isStillSaved } from '../../cards/saved-cards.ts';
import type { Terms } from '../../charges/methods/method.ts';
import type { EnteredCardToken } from '../../database/entities/card-token.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { type SavedCard, SavedCardEntity } from '../../database/entities/saved-card.ts';
import type { Em } from '../../database/orm.ts';
import type { CardToken } from '../../domain/card.ts';
import { maxInstallmentsFor } from '../../domain/checkout.ts';
import type { SavedCardId } from '../../domain/ids.ts';
import type { Payer } from '../../domain/payer.ts';
import { mintId } from '../../ids.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import type { ServingProvider } from '../../providers/providers.ts';
import { brokenRule, notFound } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireKeptCards } from '../frame/require-provider.ts';
import type { CardData } from './schema.ts';

/** The card of a request: just typed by the payer, or saved before. */
export type ChosenCard =
  | { readonly kind: 'TYPED'; readonly typed: EnteredCardToken; readonly card: CardToken }
  | { readonly kind: 'SAVED'; readonly saved: SavedCard };

/**
 * Finds the card that a request names. The provider is asked about a typed one; nothing is charged or used up yet.
 * @throws ApiError NOT_FOUND, the same for a card of another store or environment; CARD_NOT_ACCEPTED if its token is
 *   used, expired, or of another account; METHOD_NOT_POSSIBLE as {@link requireKeptCards}.
 */
export async function chosenCard(
  request: ApiRequest,
  data: CardData,
  payer: Payer,
  provider: ServingProvider<'CARD'>,
): Promise<ChosenCard> {
  requireKeptCards(provider, 'method');
  refuseInstallments(data, provider);
  const { token, cardToken } = data;
  if (token !== undefined) return typedCard(request, token, payer, provider, 'data.token');
  const saved = await findSavedCard(request.em, request.key, cardToken ?? '');
  if (saved === null) throw unknownCard();
  refuseOtherAccount(saved.provider, provider, 'data.cardToken');
  return { kind: 'SAVED', saved };
}

/** What the charge of a card stores of it. */
export function cardTermsOf(chosen: ChosenCard, installmentsCount: number): Terms['CARD'] {
  const { token, brand, lastFour, expiryMonth } = chosen.kind === 'TYPED' ? chosen.card : chosen.saved;
  const card = { cardToken: token, cardBrand: brand, cardLastFour: lastFour, cardExpiryMonth: expiryMonth };
  return { ...card, installmentsCount };
}

/** The saved card of a charge: the one that it charges, or the one that its payment will prove. */
export function savedCardIdOf(chosen: ChosenCard, now: Date): SavedCardId {
  return chosen.kind === 'SAVED' ? chosen.saved.id : mintId<SavedCardId>('savedCard', now);
}

/**
 * Uses the typed card up and saves it, in the transaction that has inserted its charge; or makes sure that the saved
 * one is still there and is this customer's.
 * @throws ApiError if another charge was first, or if it is a card of somebody else.
 */
export async function keepCard(
  request: ApiRequest,
  em: Em,
  chosen: ChosenCard,
  { id: chargeId, savedCardId, customerId }: Charge,
): Promise<void> {
  if (savedCardId === null || customerId === null)
    throw new Error(`${chargeId} has no saved card or no customer`);
  if (chosen.kind === 'SAVED') {
    const isTheirs = chosen.saved.customerId === customerId;
    if (!isTheirs || !(await isStillSaved(em, savedCardId))) throw unknownCard();
    return;
  }
  const { typed, card } = chosen;
  if (!(await takeCardToken(em, typed.id, chargeId, request.realNow)))
    throw unusable((await findCardToken(em, request.key, typed.id)) ?? typed, request.realNow);
  const { storeId, devMode, provider } = typed;
  const { token, brand, lastFour, expiryMonth } = card;
  const stored = { token, brand, lastFour, expiryMonth, provider };
  const created = { createdAt: request.now, removedAt: null };
  await em.insert(SavedCardEntity, {
    id: savedCardId,
    storeId,
    devMode,
    customerId,
    chargeId,
    ...stored,
    ...created,
  });
}

/** A card as the shop's page has sent it. @param path the field that names it. @throws ApiError as {@link chosenCard} does. */
export async function typedCard(
  request: ApiRequest,
  token: string,
  payer: ProviderPayment['payer'],
  provider: ServingProvider<'CARD'>,
  path: string,
): Promise<Extract<ChosenCard, { kind: 'TYPED' }>> {
  const typed = await findCardToken(request.em, request.key, token);
  if (typed === null) throw notFound('Card token');
  if (typed.usedAt !== null || typed.expiresAt <= request.realNow)
    throw unusable(typed, request.realNow, path);
  refuseOtherAccount(typed.provider, provider, path);
  const card = await cardOf(typed, payer, provider);
  if (card === null)
    throw brokenRule('CARD_NOT_ACCEPTED', path, 'is of a card that the provider does not accept');
  return { kind: 'TYPED', typed, card };
}

/** The sandbox has exchanged the card when it was typed. Others are asked now, with a key that only this token derives. */
function cardOf(
  { id, token, brand, lastFour, expiryMonth }: EnteredCardToken,
  payer: ProviderPayment['payer'],
  { cards }: ServingProvider<'CARD'>,
): Promise<CardToken | null> | CardToken | null {
  if (brand !== null && lastFour !== null) return { token, brand, lastFour, expiryMonth };
  if (cards.entry.kind !== 'PROVIDER_FIELDS') return null;
  const submissionKey = hash('sha256', `card token\n${id}`);
  return cards.entry.accept(token, { submissionKey, payer, keepsCard: true, isFree: false });
}

function unusable({ usedAt, chargeId, expiresAt }: EnteredCardToken, now: Date, path = 'data.token') {
  if (usedAt !== null)
    return brokenRule(
      'CARD_TOKEN_USED',
      path,
      `was used for the charge ${chargeId}; a token pays one charge, so ask the payer again`,
    );
  const seconds = Math.ceil((now.getTime() - expiresAt.getTime()) / 1_000);
  return brokenRule(
    'CARD_TOKEN_EXPIRED',
    path,
    `expired ${seconds} seconds ago; a token is valid for 60 seconds, so ask the payer again`,
  );
}

function refuseInstallments(
  { amount, installments }: CardData,
  { cards }: Pick<ServingProvider<'CARD'>, 'cards'>,
): void {
  const most = maxInstallmentsFor(amount, cards.maxInstallments);
  if (installments <= most) return;
  const message = `must be at most ${most} for this amount at this provider`;
  throw brokenRule('INSTALLMENTS_NOT_OFFERED', 'data.installments', message);
}

function refuseOtherAccount(issuedBy: string, { name }: { readonly name: string }, path: string): void {
  if (issuedBy === name) return;
  const message =
    'is of a provider account that no longer takes the cards of this store; ask the payer again';
  throw brokenRule('CARD_OF_OTHER_ACCOUNT', path, message);
}

/** The same for a card of another store, environment or customer, for a removed one, and for one that never paid. */
function unknownCard() {
  return notFound('Saved card');
}
