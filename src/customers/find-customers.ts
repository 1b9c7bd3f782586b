import { type FilterQuery, raw } from '@mikro-orm/core';
import { hasTaxId } from '../database/encryption/tax-id-search.ts';
import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { foldText } from '../domain/fold-text.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { parseTaxId } from '../domain/tax-id.ts';

/** What somebody typed to find a customer. */
export type CustomerSearch =
  | { readonly kind: 'taxId'; readonly bare: string }
  | { readonly kind: 'email'; readonly email: string }
  /** The beginning of the name. */
  | { readonly kind: 'text'; readonly text: string };

/** What somebody means who types a text into a search for customers: a tax id, an e-mail address, or a name. */
export function customerSearchOf(text: string): CustomerSearch {
  const taxId = parseTaxId(text);
  if (taxId !== null) return { kind: 'taxId', bare: taxId.bare };
  return text.includes('@') ? { kind: 'email', email: text } : { kind: 'text', text };
}

export type FoundCustomer = Pick<Customer, 'id' | 'name' | 'taxId' | 'email' | 'createdAt'>;

/** The matching customers: by name in alphabetical order, else the newest first. @param most how many to find. */
export async function findCustomers(
  em: Em,
  owner: StoreEnvironment,
  search: CustomerSearch,
  most: number,
): Promise<readonly FoundCustomer[]> {
  const ids = await findCustomerIds(em, owner, search, most);
  const where = { ...kept(owner), id: { $in: [...ids] } };
  const rows = await em.find(CustomerEntity, where, { disableIdentityMap: true });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The ids of the same customers in the same order: filters of lists need nothing else of a thousand of them. */
export async function findCustomerIds(
  em: Em,
  owner: StoreEnvironment,
  search: CustomerSearch,
  most: number,
): Promise<readonly CustomerId[]> {
  const rows = await matching(em, owner, search, most);
  return rows.map(({ id }) => id);
}

function matching(em: Em, owner: StoreEnvironment, search: CustomerSearch, most: number) {
  const { storeId, devMode } = owner;
  if (search.kind === 'text') return BY_NAME(em, { storeId, devMode, from: foldText(search.text), most });
  const which =
    search.kind === 'taxId'
      ? hasTaxId(em, owner, search.bare)
      : { [raw('lower(email) = lower(?)', [search.email])]: [] };
  const newest = {
    fields: ['id'],
    orderBy: { createdAt: 'desc', id: 'desc' },
    limit: most,
    disableIdentityMap: true,
  } as const;
  return em.find(CustomerEntity, { ...kept(owner), ...which } as FilterQuery<Customer>, newest);
}

/** The names of these customers by id. Customers without a name are left out. */
export async function customerNames(
  em: Em,
  owner: StoreEnvironment,
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))] as CustomerId[];
  if (wanted.length === 0) return new Map();
  const where = { storeId: owner.storeId, devMode: owner.devMode, id: { $in: wanted } };
  const rows = await em.find(CustomerEntity, where, { fields: ['id', 'name'], disableIdentityMap: true });
  return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
}

function kept({ storeId, devMode }: StoreEnvironment) {
  return { storeId, devMode, deletedAt: null };
}

/** The expression of the index `customers_by_name` (migration 0038), matched by prefix. */
const NAME = `(translate(lower(name), 'áàâãäéêëíîïóôõöúûüçñ', 'aaaaaeeeiiioooouuucn') collate "C")`;
const BY_NAME = statement<StoreEnvironment & { from: string; most: number }, { id: CustomerId }>(
  'find customers by how their name begins',
  () => `
  select id from customers
  where store_id = :storeId and dev_mode = :devMode and deleted_at is null and name is not null
    and ${NAME} >= :from::text and ${NAME} < :from::text || chr(1114111)
  order by ${NAME}, created_at, id limit :most::bigint`,
);
