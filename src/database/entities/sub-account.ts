import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId, SubAccountId } from '../../domain/ids.ts';
import { SealedText } from '../encryption/sealed-text.ts';

/**
 * A third party of a store, such as a marketplace's seller, and the money that the store holds for it. One per tax id, store and
 * environment. The balance changes only with an entry, in the statement that books it.
 */
export const SubAccountEntity = defineEntity({
  name: 'SubAccount',
  tableName: 'sub_accounts',
  properties: {
    id: p.text().$type<SubAccountId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    name: p.text(),
    /** CPF or CNPJ without punctuation; the PIX key of its withdrawals. */
    taxId: p.type(new SealedText('sub_accounts.tax_id')),
    /** The search hash of the tax id; null without SECRETS_KEY. */
    taxIdHash: p.text().strictNullable(),
    externalId: p.text().strictNullable(),
    metadata: p.json().columnType('json').$type<Record<string, string>>(),
    /** Never negative (a check constraint). */
    balanceCents: p.bigint('number').defaultRaw('0'),
    /** The number of its entries, and of the last one. */
    entryCount: p.bigint('number').defaultRaw('0'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type SubAccount = InferEntity<typeof SubAccountEntity>;
