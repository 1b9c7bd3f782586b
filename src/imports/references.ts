import { type Coupon, CouponEntity } from '../database/entities/coupon.ts';
import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import { ImportedRowEntity } from '../database/entities/imported-row.ts';
import { type Product, ProductEntity } from '../database/entities/product.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Database } from '../database/orm.ts';
import type { CouponId, CustomerId, ProductId, SubscriptionId } from '../domain/ids.ts';
import type { ImportKind } from '../domain/imports.ts';
import { type ImportInto, importKeyOf } from './import-ids.ts';

interface Referenced {
  readonly customer: Customer;
  readonly product: Product;
  readonly coupon: Coupon;
  readonly subscription: { readonly id: SubscriptionId };
}

const FRESH = { disableIdentityMap: true } as const;

/** Finds the rows that other rows name by the other system's ids. */
export class References {
  readonly #database: Database;
  readonly #into: ImportInto;
  /** What a dry run would have made. */
  readonly #planned = new Map<string, unknown>();
  readonly #plannedAs = new Map<string, unknown>();

  constructor(database: Database, into: ImportInto) {
    this.#database = database;
    this.#into = into;
  }

  /** The id here of what was made of a row; null if it was not imported. */
  async rowIdOf(kind: ImportKind, foreignId: string): Promise<string | null> {
    const { storeId, devMode } = this.#into;
    const key = importKeyOf(this.#into, kind, foreignId);
    const found = await this.#database.em.fork().findOne(ImportedRowEntity, { storeId, devMode, key }, FRESH);
    return found?.rowId ?? null;
  }

  /** Notes what a dry run would have made. @param uniqueBy what no other row of the store may have; null for nothing. */
  plan(kind: ImportKind, foreignId: string, value: unknown, uniqueBy: string | null): void {
    this.#planned.set(importKeyOf(this.#into, kind, foreignId), value);
    if (uniqueBy !== null) this.#plannedAs.set(`${kind} ${uniqueBy}`, value);
  }

  /** What a dry run would have made with this tax id, external id or code; null if nothing. */
  plannedAs<Kind extends keyof Referenced>(kind: Kind, uniqueBy: string): Referenced[Kind] | null {
    return (this.#plannedAs.get(`${kind} ${uniqueBy}`) as Referenced[Kind] | undefined) ?? null;
  }

  /** Null if the row was not imported, or is no longer there. */
  async find<Kind extends keyof Referenced>(kind: Kind, foreignId: string): Promise<Referenced[Kind] | null> {
    const planned = this.#planned.get(importKeyOf(this.#into, kind, foreignId));
    if (planned !== undefined) return planned as Referenced[Kind];
    const rowId = await this.rowIdOf(kind, foreignId);
    return rowId === null ? null : ((await this.#load(kind, rowId)) as Referenced[Kind] | null);
  }

  /** A product of the import, or one of the store with this external id. */
  async product(foreignId: string): Promise<Product | null> {
    const imported = await this.find('product', foreignId);
    if (imported !== null) return imported;
    const { storeId, devMode } = this.#into;
    const where = { storeId, devMode, externalId: foreignId, deletedAt: null };
    return this.#database.em.fork().findOne(ProductEntity, where, FRESH);
  }

  /** A coupon of the import, or one of the store with this code. */
  async coupon(foreignId: string): Promise<Coupon | null> {
    const imported = await this.find('coupon', foreignId);
    if (imported !== null) return imported;
    const { storeId, devMode } = this.#into;
    const where = { storeId, devMode, code: foreignId, deletedAt: null };
    return this.#database.em.fork().findOne(CouponEntity, where, FRESH);
  }

  #load(kind: keyof Referenced, id: string) {
    const em = this.#database.em.fork();
    switch (kind) {
      case 'customer':
        return em.findOne(CustomerEntity, { id: id as CustomerId, deletedAt: null }, FRESH);
      case 'product':
        return em.findOne(ProductEntity, { id: id as ProductId, deletedAt: null }, FRESH);
      case 'coupon':
        return em.findOne(CouponEntity, { id: id as CouponId, deletedAt: null }, FRESH);
      case 'subscription':
        return em.findOne(SubscriptionEntity, { id: id as SubscriptionId }, FRESH);
    }
  }
}
