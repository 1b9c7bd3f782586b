import { raw } from '@mikro-orm/core';
import { keptBy } from '../../../api/frame/rows.ts';
import type { Caller } from '../../../api/keys/caller.ts';
import { hasTaxId } from '../../../customers/customer-tax-id.ts';
import { type Customer, CustomerEntity } from '../../../database/entities/customer.ts';
import type { Em } from '../../../database/orm.ts';
import { statement } from '../../../database/statement.ts';
import { CHARGE_STATUSES, PAYMENT_METHODS } from '../../../domain/charge.ts';
import { type ChargeId, type CustomerId, ID_PREFIX } from '../../../domain/ids.ts';
import { parseTaxId } from '../../../domain/tax-id.ts';
import type { LedgerOwner } from '../../../ledger/ledger.ts';
import { openNumber } from '../../../secrets/personal-numbers.ts';
import { centsIn } from '../words.ts';

/** The kind of search, derived from the typed text. */
export type Sought =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'taxId'; readonly bare: string }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'amount'; readonly cents: number }
  | { readonly kind: 'text'; readonly text: string };

const PATHS = [
  [ID_PREFIX.checkout, '/checkouts/'],
  [ID_PREFIX.subscription, '/subscriptions/'],
  [ID_PREFIX.customer, '/customers/'],
  ...[ID_PREFIX.pixCharge, ID_PREFIX.boletoCharge, ID_PREFIX.cardCharge, ID_PREFIX.freeCharge].map(
    (prefix) => [prefix, '/payments/'] as const,
  ),
] as const;

const ID = /^[a-z_]+_[0-9A-Z]{26}$/;

/** Only a text with `R$` or cents is searched as an amount: digits alone may be an order number. */
const IS_AMOUNT = /^R\$|[.,]\d{2}$/i;

/** Parses the search box: an id, a tax id, an email address, an amount, or else an `externalId` or a name. */
export function soughtBy(text: string): Sought {
  const path = ID.test(text) && PATHS.find(([prefix]) => text.startsWith(prefix))?.[1];
  if (path) return { kind: 'page', path: `${path}${text}` };
  const taxId = parseTaxId(text);
  if (taxId !== null) return { kind: 'taxId', bare: taxId.bare };
  if (text.includes('@')) return { kind: 'email', email: text };
  const cents = IS_AMOUNT.test(text) ? centsIn(text) : null;
  if (cents !== null) return { kind: 'amount', cents };
  return { kind: 'text', text };
}

/** At most this many customers are searched. Users can narrow a search by typing more of the name. */
const MOST_CUSTOMERS = 12;

/** The matching customers, newest first; names in alphabetical order. */
export function customersSought(
  em: Em,
  caller: Caller,
  sought: Sought,
): Promise<readonly Pick<Customer, 'id' | 'name' | 'taxId' | 'email'>[]> {
  if (sought.kind === 'text') return byName(em, caller, sought.text);
  if (sought.kind !== 'taxId' && sought.kind !== 'email') return Promise.resolve([]);
  const which =
    sought.kind === 'taxId'
      ? (hasTaxId(em, caller, sought.bare) as object)
      : { [raw('lower(email) = lower(?)', [sought.email])]: [] };
  const newest = {
    orderBy: { createdAt: 'desc', id: 'desc' },
    limit: MOST_CUSTOMERS,
    disableIdentityMap: true,
  } as const;
  return em.find(CustomerEntity, { ...keptBy(caller), ...which }, newest);
}

async function byName(em: Em, caller: Caller, name: string) {
  const rows = await BY_NAME(em, { ...keyOf(caller), from: plain(name) });
  return rows.map((row) => ({ ...row, taxId: row.taxId && openNumber(row.taxId, 'customers.tax_id') }));
}

function keyOf({ storeId, devMode }: Caller): LedgerOwner {
  return { storeId, devMode };
}

/** Normalized as in the index: lower case without accents. */
function plain(name: string): string {
  return name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

/** The expression of the index `customers_by_name` (migration 0027), matched by prefix. */
const NAME = `(translate(lower(name), 'áàâãäéêëíîïóôõöúûüçñ', 'aaaaaeeeiiioooouuucn') collate "C")`;
const BY_NAME = statement<
  LedgerOwner & { from: string },
  Pick<Customer, 'id' | 'name' | 'taxId' | 'email'> & { id: CustomerId }
>(
  'find customers by how their name begins',
  () => `
  select id, name, tax_id as "taxId", email from customers
  where store_id = :storeId and dev_mode = :devMode and deleted_at is null and name is not null
    and ${NAME} >= :from::text and ${NAME} < :from::text || chr(1114111)
  order by ${NAME}, created_at, id limit ${MOST_CUSTOMERS}`,
);

/**
 * How many charges of each method and status one search scans for an amount. Amounts have no index, because every create would
 * pay for it.
 */
const LOOKED_THROUGH = 5_000;
const MOST_FOUND = 30;

/**
 * Each method and status is a range of an index, newest first. The scan ends at the first range that is not exhausted, so that
 * nothing newer than that point is missed.
 */
const BY_AMOUNT = statement<
  LedgerOwner & {
    readonly cents: number;
    readonly methods: readonly string[];
    readonly statuses: readonly string[];
    readonly after: string | null;
    readonly lookedThrough: number;
  },
  { readonly id: ChargeId; readonly createdAt: Date; readonly isFound: boolean; readonly isEnd: boolean }
>(
  'find payments by their amount',
  () => `
  with place as (select coalesce((
    select created_at from charges where id = :after::text and store_id = :storeId and dev_mode = :devMode
  ), 'infinity') as at), looked as materialized (
    select charge.* from unnest(:methods::text[]) as method (name), unnest(:statuses::text[]) as status (name), lateral (
      select id, created_at, coalesce(:cents::bigint in (amount_cents, paid_amount_cents), false) as is_found,
        row_number() over (order by created_at desc, id desc) = :lookedThrough::bigint as is_last
      from charges
      where store_id = :storeId and dev_mode = :devMode and method = method.name and status = status.name
        and (created_at, id) < ((select at from place), coalesce(:after::text, ''))
      order by created_at desc, id desc limit :lookedThrough::bigint
    ) charge
  ), last as (select created_at, id from looked where is_last order by created_at desc, id desc limit 1)
  select id, created_at as "createdAt", is_found as "isFound", is_last as "isEnd" from looked
  where (is_found or is_last)
    and (created_at, id) >= (coalesce((select created_at from last), '-infinity'), coalesce((select id from last), ''))
  order by created_at desc, id desc limit ${MOST_FOUND + 1}`,
);

/** The result of a search by amount. */
export interface FoundByAmount {
  /** Newest first. */
  readonly ids: readonly ChargeId[];
  /** The oldest payment scanned; null if there are no older ones. */
  readonly end: { readonly id: ChargeId; readonly createdAt: Date } | null;
}

/**
 * Payments with this amount, charged or paid: all within the scanned range, at most {@link MOST_FOUND}.
 * @param after the id of the previous search's `end`; null starts with the newest.
 * @param lookedThrough how many of each method and status to scan.
 */
export async function paymentsOfAmount(
  em: Em,
  { storeId, devMode }: LedgerOwner,
  cents: number,
  after: string | null,
  lookedThrough = LOOKED_THROUGH,
): Promise<FoundByAmount> {
  // Free charges have no amount.
  const kinds = { methods: PAYMENT_METHODS, statuses: CHARGE_STATUSES };
  const rows = await BY_AMOUNT(em, { storeId, devMode, cents, after, lookedThrough, ...kinds });
  const shown = rows.slice(0, MOST_FOUND);
  const last = shown.at(-1);
  const goesOn = rows.length > MOST_FOUND || last?.isEnd === true;
  return {
    ids: shown.filter(({ isFound }) => isFound).map(({ id }) => id),
    end: last !== undefined && goesOn ? { id: last.id, createdAt: last.createdAt } : null,
  };
}
