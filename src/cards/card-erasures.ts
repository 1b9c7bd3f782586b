import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CheckoutId, CustomerId, StoreId } from '../domain/ids.ts';
import { SQL_KEEPING_INSTRUMENT } from '../domain/payment-methods.ts';

/** A card outlives its subscription for a month, for questions and disputes. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** A stored card that nothing needs any more, until its provider has erased it. */
export interface CardErasure {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly token: string;
  /** The account that issued the token; null if it is not known, such as after a free trial. */
  readonly provider: string | null;
}

/**
 * SQL: adds erasures. One that is already there keeps its oldest wish and gets a new due time, so a process that is
 * about to drop it notices.
 */
const ADD = `
  insert into card_erasures (store_id, dev_mode, token, provider, wanted_at, due_at)
  select distinct on (store_id, token) store_id, dev_mode, token, provider, due_at, due_at
  from card
  order by store_id, token, provider nulls last
  on conflict (store_id, token) do update set
    provider = coalesce(card_erasures.provider, excluded.provider),
    wanted_at = least(card_erasures.wanted_at, excluded.wanted_at),
    due_at = least(card_erasures.due_at, excluded.due_at) - interval '1 microsecond'`;

/** SQL: the account that has charged a card; null for a payment of nothing. */
const PROVIDER = `case when charge.method in (${SQL_KEEPING_INSTRUMENT}) then charge.provider end`;

/**
 * Has a card that was replaced erased at its provider, unless something else still needs it by then. In the caller's
 * transaction.
 */
export async function eraseReplacedCard(em: Em, card: CardErasure, dueAt: Date): Promise<void> {
  await ADD_ONE(em, { ...card, dueAt });
}

const ADD_ONE = statement<CardErasure & { dueAt: Date }>(
  'erase a replaced card',
  () => `
  with card as (
    select :storeId::text as store_id, :devMode::boolean as dev_mode, :token::text as token, :provider::text as provider,
      :dueAt::timestamptz as due_at
  ) ${ADD}`,
);

/** When a subscription has ended. */
interface EndedCard {
  readonly checkoutId: CheckoutId;
  readonly token: string;
  readonly now: Date;
  readonly keptUntil: Date;
}

/**
 * Has the card of a subscription that has ended erased at its provider after a while, or at once if its customer was
 * erased. In the transaction that ends it.
 */
export async function eraseCardOfEnded(
  em: Em,
  { checkoutId, cardToken: token }: { readonly checkoutId: CheckoutId; readonly cardToken: string | null },
  now: Date,
): Promise<void> {
  const keptUntil = new Date(now.getTime() + KEPT_MS);
  if (token !== null) await ADD_OF_CHECKOUT(em, { checkoutId, token, now, keptUntil });
}

const ADD_OF_CHECKOUT = statement<EndedCard>(
  'erase the card of an ended subscription',
  () => `
  with card as (
    select charge.store_id, charge.dev_mode, charge.card_token as token, ${PROVIDER} as provider,
      case when customer.deleted_at is null then :keptUntil::timestamptz else :now::timestamptz end as due_at
    from charges charge left join customers customer on customer.id = charge.customer_id
    where charge.checkout_id = :checkoutId and charge.card_token = :token
  ) ${ADD}`,
);

/**
 * Has all cards of a customer erased at their providers (LGPD, art. 18, VI), in the transaction that erases the
 * customer. The card of an active subscription is kept until it ends.
 */
export async function eraseCardsOfCustomer(em: Em, customerId: CustomerId, now: Date): Promise<void> {
  await ADD_OF_CUSTOMER(em, { customerId, now });
}

/** The tokens go from the rows at once. That of an open charge stays: its run sends it again. */
const ADD_OF_CUSTOMER = statement<{ customerId: CustomerId; now: Date }>(
  'erase the cards of a customer',
  () => `
  with card as (
    select charge.store_id, charge.dev_mode, charge.card_token as token, ${PROVIDER} as provider,
      :now::timestamptz as due_at
    from charges charge
    where customer_id = :customerId and card_token is not null and not exists (
      select from subscriptions
      where card_token = charge.card_token and store_id = charge.store_id and status = 'ACTIVE')
    union all
    select store_id, dev_mode, token, provider, :now::timestamptz from saved_cards where customer_id = :customerId
  ), of_charges as (
    update charges set card_token = null
    where customer_id = :customerId and status <> 'PENDING' and card_token in (select token from card)
  ), of_subscriptions as (
    update subscriptions set card_token = null
    where customer_id = :customerId and status <> 'ACTIVE' and card_token in (select token from card)
  ) ${ADD}`,
);
