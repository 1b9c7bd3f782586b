import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CustomerId, StoreId } from '../../domain/ids.ts';
import { SealedText } from '../encryption/sealed-text.ts';

/** A payer, unique by tax id per store and environment (contract section 9.2). */
export const CustomerEntity = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  properties: {
    id: p.text().$type<CustomerId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    /** CPF or CNPJ without punctuation. */
    taxId: p.type(new SealedText('customers.tax_id')).strictNullable(),
    /**
     * The search hash of the tax id (`taxIdHashOf`). Null without a tax id or SECRETS_KEY, and in rows of releases
     * before 0058.
     */
    taxIdHash: p.text().strictNullable(),
    name: p.text().strictNullable(),
    email: p.text().strictNullable(),
    cellphone: p.text().strictNullable(),
    zipCode: p.text().strictNullable(),
    country: p.text(),
    metadata: p.json().columnType('json').$type<Record<string, unknown>>(),
    /** Whether an anonymous payer typed it on a hosted page; the merchant's data for the tax id replaces it. */
    typedByPayer: p.boolean().default(false),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().strictNullable(),
  },
});
export type Customer = InferEntity<typeof CustomerEntity>;
