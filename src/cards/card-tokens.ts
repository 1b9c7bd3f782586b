import type { EnteredCardToken } from '../database/entities/card-token.ts';
import { CardTokenEntity } from '../database/entities/card-token.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CardToken } from '../domain/card.ts';
import type { CardChangeId, CardTokenId, ChargeId, StoreId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';

/** How long a token waits for its charge: the shop's page sends it to the shop's server at once. */
export const CARD_TOKEN_MS = 60_000;

/** The store and environment that something belongs to. */
export interface CardOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** What a payer has typed: what the provider's fields returned, or a card that the sandbox has exchanged. */
export type TypedOnPage = { readonly fieldsToken: string } | { readonly card: CardToken };

/** Deletes a few tokens of past days with each new one, so that the table stays small without a job of its own. */
const INSERT = statement<{ token: EnteredCardToken; forgottenBefore: Date }>(
  'insert a card token',
  (columns) => `
  with forgotten as (
    select id from card_tokens where expires_at < :forgottenBefore order by expires_at limit 5
    for update skip locked
  ), deleted as (
    delete from card_tokens using forgotten where card_tokens.id = forgotten.id
  )
  insert into card_tokens (${columns.of(CardTokenEntity)}) values (${columns.values(CardTokenEntity, 'token')})`,
);

/** How long a used or expired token is remembered, so that its second use gets a clear answer. */
const REMEMBERED_MS = 24 * 60 * 60_000;

/**
 * Stores what a payer has typed, for one charge within {@link CARD_TOKEN_MS}.
 * @param now real time: a store's clock may be moved while a payer types.
 */
export async function insertCardToken(
  database: Database,
  owner: CardOwner,
  provider: string,
  typed: TypedOnPage,
  now: Date,
): Promise<EnteredCardToken> {
  const card = 'card' in typed ? typed.card : null;
  const token: EnteredCardToken = {
    id: mintId<CardTokenId>('cardToken', now),
    storeId: owner.storeId,
    devMode: owner.devMode,
    provider,
    token: 'card' in typed ? typed.card.token : typed.fieldsToken,
    brand: card?.brand ?? null,
    lastFour: card?.lastFour ?? null,
    expiryMonth: card?.expiryMonth ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CARD_TOKEN_MS),
    usedAt: null,
    chargeId: null,
  };
  await INSERT(database, { token, forgottenBefore: new Date(now.getTime() - REMEMBERED_MS) });
  return token;
}

const FIND = statement<CardOwner & { id: string }, EnteredCardToken>(
  'find a card token',
  (columns) => `
  select ${columns.read(CardTokenEntity, 'card_token')} from card_tokens card_token
  where id = :id and store_id = :storeId and dev_mode = :devMode`,
);

/** A token of an owner, used and expired ones included; null if there is none. */
export async function findCardToken(
  on: Em | Database,
  owner: CardOwner,
  id: string,
): Promise<EnteredCardToken | null> {
  const { storeId, devMode } = owner;
  const [token = null] = await FIND(on, { id, storeId, devMode });
  return token;
}

const USE = statement<{ id: CardTokenId; chargeId: ChargeId | CardChangeId; now: Date }, { id: CardTokenId }>(
  'use a card token',
  () => `
  update card_tokens set used_at = :now, charge_id = :chargeId
  where id = :id and used_at is null and expires_at > :now returning id`,
);

/**
 * Uses a token up, in the transaction that stores its charge or change of card: of any number of them, one wins.
 * @param now when the request arrived, by real time.
 * @returns whether this charge has won.
 */
export async function takeCardToken(
  em: Em,
  id: CardTokenId,
  chargeId: ChargeId | CardChangeId,
  now: Date,
): Promise<boolean> {
  return (await USE(em, { id, chargeId, now })).length > 0;
}
