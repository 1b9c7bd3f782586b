import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AttentionKind } from '../../domain/attention.ts';
import type { AttentionId, StoreId } from '../../domain/ids.ts';

/**
 * Something that the service cannot end by itself and a person should look at. Of a kind there is at most one
 * open row per subject (a unique index).
 */
export const AttentionEntity = defineEntity({
  name: 'Attention',
  tableName: 'attention',
  properties: {
    id: p.text().$type<AttentionId>().primary(),
    kind: p.text().$type<AttentionKind>(),
    /** Id of what it is about; of what, its kind says. */
    subjectId: p.text(),
    /** Null, as is `devMode`, where it is about the service as a whole. */
    storeId: p.text().$type<StoreId>().strictNullable(),
    devMode: p.boolean().strictNullable(),
    /** Since when something is wrong. */
    since: p.datetime(),
    /** When it was found. */
    notedAt: p.datetime(),
    /** Null while it is open. */
    resolvedAt: p.datetime().strictNullable(),
  },
});
export type Attention = InferEntity<typeof AttentionEntity>;
