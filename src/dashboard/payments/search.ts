import { raw } from '@mikro-orm/core';
import type { Caller } from '../../api/frame/caller.ts';
import { keptBy } from '../../api/frame/rows.ts';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import type { LedgerOwner } from '../../database/ledger/ledger.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { type ChargeId, type CustomerId, ID_PREFIX } from '../../domain/ids.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { centsIn } from '../words.ts';

/** What somebody looks for, as far as it can be told from how it is written. */
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
/** Reads the one search box: an id, a tax id, an e-mail address, an amount, or else an `externalId` or a name. */
export function soughtBy(text: string): Sought {
  const path = ID.test(text) && PATHS.find(([prefix]) => text.startsWith(prefix))?.[1];
  if (path) return { kind: 'page', path: `${path}${text}` };
  const taxId = parseTaxId(text);
  if (taxId !== null) return { kind: 'taxId', bare: taxId.bare };
  if (text.includes('@')) return { kind: 'email', email: text };
  const cents = centsIn(text);
  if (cents !== null) return { kind: 'amount', cents };
  return { kind: 'text', text };
}

/** More customers than that are not looked through: who seeks types more of the name. */
const MOST_CUSTOMERS = 12;

/** The customers that are meant, the newest first but for names, which are in their own order. */
export function customersSought(
  em: Em,
  caller: Caller,
  sought: Sought,
): Promise<readonly Pick<Customer, 'id' | 'name' | 'taxId' | 'email'>[]> {
  if (sought.kind === 'text') return BY_NAME(em, { ...keyOf(caller), from: plain(sought.text) });
  if (sought.kind !== 'taxId' && sought.kind !== 'email') return Promise.resolve([]);
  const which =
    sought.kind === 'taxId'
      ? { taxId: sought.bare }
      : { [raw('lower(email) = lower(?)', [sought.email])]: [] };
  const newest = {
    orderBy: { createdAt: 'desc', id: 'desc' },
    limit: MOST_CUSTOMERS,
    disableIdentityMap: true,
  } as const;
  return em.find(CustomerEntity, { ...keptBy(caller), ...which }, newest);
}

function keyOf({ storeId, devMode }: Caller): LedgerOwner {
  return { storeId, devMode };
}

/** As the index has names: small letters without accents. */
function plain(name: string): string {
  return name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

/** The expression of the index `customers_by_name` (migration 0027), by how it begins. */
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

/** Of each method and status so many are looked through for an amount, which has no index: every create would pay for it. */
const NEWEST_OF_AMOUNT = 2_000;
const MOST_OF_AMOUNT = 30;

const BY_AMOUNT = statement<LedgerOwner & { cents: number; statuses: readonly string[] }, { id: ChargeId }>(
  'find payments by their amount',
  () => `
  select charge.id from unnest('{PIX,CARD,BOLETO}'::text[]) as method (name), unnest(:statuses::text[]) as status (name), lateral (
    select id, created_at, amount_cents, paid_amount_cents from charges
    where store_id = :storeId and dev_mode = :devMode and method = method.name and status = status.name
    order by created_at desc, id desc limit ${NEWEST_OF_AMOUNT}
  ) charge
  where :cents::bigint in (charge.amount_cents, charge.paid_amount_cents)
  order by charge.created_at desc, charge.id desc limit ${MOST_OF_AMOUNT}`,
);

/** The newest payments of this amount, asked for or paid. */
export async function paymentsOfAmount(
  em: Em,
  { storeId, devMode }: LedgerOwner,
  cents: number,
): Promise<ChargeId[]> {
  const rows = await BY_AMOUNT(em, { storeId, devMode, cents, statuses: CHARGE_STATUSES });
  return rows.map(({ id }) => id);
}
