import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CustomerId, StoreId } from '../../domain/ids.ts';

/** A payer, unique by tax id per store and environment (spec, "Customer"). */
export const CustomerEntity = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  properties: {
    id: p.string().$type<CustomerId>().primary(),
    storeId: p.string().$type<StoreId>(),
    devMode: p.boolean(),
    /** CPF or CNPJ without punctuation. */
    taxId: p.string().strictNullable(),
    name: p.string().strictNullable(),
    email: p.string().strictNullable(),
    cellphone: p.string().strictNullable(),
    zipCode: p.string().strictNullable(),
    country: p.string(),
    metadata: p.json().columnType('json').$type<Record<string, unknown>>(),
    /** What an anonymous payer typed on a hosted page; the merchant's own word for the tax id takes its place. */
    typedByPayer: p.boolean(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().strictNullable(),
  },
});
export type Customer = InferEntity<typeof CustomerEntity>;
