import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { EarlierEmailEntity } from '../database/entities/earlier-email.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { presentEmailSql } from '../database/present-email.ts';
import { statement } from '../database/statement.ts';
import type { ChargeId, CustomerId, StoreId, SubscriptionId } from '../domain/ids.ts';
import type { ProvenCustomer } from './sessions.ts';

/* A customer's record may have payments of other people: anyone who types a tax id on a hosted page is linked to its customer
   (src/customers/link-customer.ts). So a proven address shows what carries it, and, if the address is the store's word, what
   the store itself has named the customer for. */

/** The portal shows so many of the newest payments and subscriptions. */
export const MOST_SHOWN = 100;

interface Proven {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly customerId: CustomerId;
  readonly email: string;
  /** Whether nobody but a payer has ever given this address. */
  readonly isTyped: boolean;
  readonly most: number;
}

function paramsOf({ id, storeId, devMode, email, typedByPayer }: ProvenCustomer, most: number): Proven {
  return { storeId, devMode, customerId: id, email, isTyped: typedByPayer, most };
}

/**
 * The store has named the customer for this charge, or for its checkout. A payment link is for anybody. Rows of older releases do
 * not tell who named a customer: there, the store has named that of a transparent charge and of a checkout until it is paid.
 */
const NAMED_BY_STORE = `(charge.customer_named_by = 'MERCHANT'
  or (charge.customer_named_by is null and charge.checkout_id is null)
  or exists (select from checkouts named where named.id = charge.checkout_id and named.customer_id = :customerId
    and named.frequency <> 'MULTIPLE_PAYMENTS' and (named.customer_named_by = 'MERCHANT'
      or (named.customer_named_by is null and named.paid_by_charge_id is null))))`;

/** @see ownPayment, ownSubscription */
interface ProvenFor extends Proven {
  /** Only the row with this id; null for all. */
  readonly only: string | null;
}

/** Whether a row carries the proven address, or one that it has replaced in the portal. */
const isOwnEmail = (email: string) =>
  `lower(${presentEmailSql({ email, customerId: ':customerId' })}) = lower(:email)`;

const OWN_CHARGES = statement<ProvenFor, { id: ChargeId }>(
  'find the payments of a proven customer',
  () => `
  select charge.id from charges charge
  where charge.customer_id = :customerId and charge.store_id = :storeId and charge.dev_mode = :devMode
    and (:only::text is null or charge.id = :only)
    and (${isOwnEmail('charge.payer_email')}
      or (not :isTyped::boolean and ${NAMED_BY_STORE}))
  order by charge.created_at desc, charge.id desc limit :most::int`,
);

const OWN_SUBSCRIPTIONS = statement<ProvenFor, { id: SubscriptionId }>(
  'find the subscriptions of a proven customer',
  () => `
  select subscription.id from subscriptions subscription
  where subscription.customer_id = :customerId and subscription.store_id = :storeId and subscription.dev_mode = :devMode
    and (:only::text is null or subscription.id = :only)
    and ((not :isTyped::boolean and subscription.customer_named_by = 'MERCHANT')
      or exists (select from charges first where first.checkout_id = subscription.checkout_id
        and first.customer_id = :customerId and first.installment_id is null and first.paid_at is not null
        and ${isOwnEmail('first.payer_email')}))
  order by subscription.created_at desc, subscription.id desc limit :most::int`,
);

/** The newest payments of the customer, paid or not. */
export async function paymentsOf(em: Em, customer: ProvenCustomer, most = MOST_SHOWN): Promise<Charge[]> {
  const ids = (await OWN_CHARGES(em, { ...paramsOf(customer, most), only: null })).map(({ id }) => id);
  const charges: Charge[] = [];
  // Ten thousand rows at once would stop all other requests for a second.
  for (let first = 0; first < ids.length; first += READ_AT_ONCE) {
    const some = ids.slice(first, first + READ_AT_ONCE);
    charges.push(...(await em.find(ChargeEntity, { id: { $in: some } }, NEWEST_FIRST)));
  }
  return charges;
}

const READ_AT_ONCE = 100;

/** A payment that {@link paymentsOf} would show; null for any other, whether it exists or not. */
export async function ownPayment(em: Em, customer: ProvenCustomer, id: string): Promise<Charge | null> {
  const [own] = await OWN_CHARGES(em, { ...paramsOf(customer, 1), only: id });
  return own === undefined ? null : em.findOne(ChargeEntity, { id: own.id }, { disableIdentityMap: true });
}

/** The newest subscriptions of the customer, also cancelled ones. */
export async function subscriptionsOf(
  em: Em,
  customer: ProvenCustomer,
  most = MOST_SHOWN,
): Promise<Subscription[]> {
  const ids = (await OWN_SUBSCRIPTIONS(em, { ...paramsOf(customer, most), only: null })).map(({ id }) => id);
  return em.find(SubscriptionEntity, { id: { $in: ids } }, NEWEST_FIRST);
}

/** A subscription that {@link subscriptionsOf} would show; null for any other, whether it exists or not. */
export async function ownSubscription(
  em: Em,
  customer: ProvenCustomer,
  id: string,
): Promise<Subscription | null> {
  const [own] = await OWN_SUBSCRIPTIONS(em, { ...paramsOf(customer, 1), only: id });
  return own === undefined
    ? null
    : em.findOne(SubscriptionEntity, { id: own.id }, { disableIdentityMap: true });
}

/** The addresses that the customer had proven before the present one, oldest first. */
export async function earlierEmailsOf(em: Em, { id, email }: ProvenCustomer): Promise<string[]> {
  const led = { customerId: id, followedBy: email.toLowerCase() };
  const found = await em.find(EarlierEmailEntity, led, {
    orderBy: { changedAt: 'asc' },
    disableIdentityMap: true,
  });
  return found.map((earlier) => earlier.email);
}

const NEWEST_FIRST = { orderBy: { createdAt: 'desc', id: 'desc' }, disableIdentityMap: true } as const;
