import type { SavedCard } from '../database/entities/saved-card.ts';
import type { CardToken, CardWallet, TypedCard } from '../domain/card.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import type { AcceptCard, CardEntry } from '../providers/ports/cards.ts';
import { cardRefusalsOf } from './card-refusals.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/**
 * A payer's card: typed into our form or given by a wallet of the sandbox, the token that the provider's own fields put into it, or one that its customer saved and that
 * the merchant named for this payment.
 */
export type EnteredCard =
  | { readonly typed: TypedCard; readonly wallet?: CardWallet | null }
  | { readonly token: string }
  | { readonly saved: SavedCard };

/** A test card that is approved, valid for another year. The sandbox's wallets hold it. */
export function approvedTestCard(now: Date): TypedCard {
  const nextYear = Number(saoPauloDateOf(now).slice(2, 4)) + 1;
  return {
    number: '4242424242424242',
    holderName: 'PAGADOR DE TESTE',
    expiry: `12/${String(nextYear).padStart(2, '0')}`,
    cvv: '123',
  };
}

/**
 * Refuses a card that need not be shown to the provider.
 * @throws PaymentRefusal with what is wrong. A typed card of a provider with fields of its own is refused unread, and every
 *   card of a provider that takes cards only on its own page.
 */
export function refuseWrongCard(entry: CardEntry, card: EnteredCard | null, now: Date): void {
  if (card !== null && 'saved' in card) return;
  if (entry.kind === 'HOSTED_PAGE') throw new PaymentRefusal('METHOD_NOT_POSSIBLE');
  const [refusal] = entry.kind === 'TYPED' ? cardRefusalsOf(typedOf(card), now) : tokenRefusals(card);
  if (refusal !== undefined) throw new PaymentRefusal(refusal);
}

/**
 * The card as it may be stored.
 * @throws PaymentRefusal CARD_NOT_ACCEPTED if the provider does not accept it, CARD_REQUIRED if none was entered.
 */
export async function acceptedCard(
  entry: CardEntry,
  card: EnteredCard | null,
  request: AcceptCard,
): Promise<CardToken> {
  if (card !== null && 'saved' in card) return card.saved;
  const token = await tokenOf(entry, card, request);
  if (token === null) throw new PaymentRefusal('CARD_NOT_ACCEPTED');
  return token;
}

function tokenOf(entry: CardEntry, card: EnteredCard | null, request: AcceptCard): Promise<CardToken | null> {
  if (card !== null && 'typed' in card && entry.kind === 'TYPED')
    return entry.tokenize(card.typed, card.wallet ?? null);
  if (card !== null && 'token' in card && entry.kind === 'PROVIDER_FIELDS')
    return entry.accept(card.token, request);
  throw new PaymentRefusal('CARD_REQUIRED');
}

function tokenRefusals(card: EnteredCard | null): readonly 'CARD_REQUIRED'[] {
  return card !== null && 'token' in card && card.token !== '' ? [] : ['CARD_REQUIRED'];
}

function typedOf(card: EnteredCard | null): TypedCard | null {
  return card !== null && 'typed' in card ? card.typed : null;
}
