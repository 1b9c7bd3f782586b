import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId } from '../../domain/ids.ts';
import type { ImportKind } from '../../domain/imports.ts';

/**
 * What an import has made of one row of another system. It is inserted in the transaction that makes it, so a row is
 * imported once, however often and wherever an import is stopped.
 */
export const ImportedRowEntity = defineEntity({
  name: 'ImportedRow',
  tableName: 'imported_rows',
  properties: {
    storeId: p.text().$type<StoreId>().primary(),
    devMode: p.boolean().primary(),
    /** A hash of source, kind and the other system's id, which may be personal: some shops use tax ids. */
    key: p.text().primary(),
    kind: p.text().$type<ImportKind>(),
    /** The row's id here. */
    rowId: p.text(),
    /** FOUND if the store had it already: a customer with the tax id, a product or coupon with the same terms. */
    outcome: p.enum(['MADE', 'FOUND'] as const),
    importedAt: p.datetime(),
  },
});
export type ImportedRow = InferEntity<typeof ImportedRowEntity>;
