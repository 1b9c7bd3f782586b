import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AttentionKind } from '../../domain/attention.ts';
import type { AttentionId, StoreId } from '../../domain/ids.ts';

/** Something that needs a person. Each subject has at most one open row per kind (a unique index). */
export const AttentionEntity = defineEntity({
  name: 'Attention',
  tableName: 'attention',
  properties: {
    id: p.text().$type<AttentionId>().primary(),
    kind: p.text().$type<AttentionKind>(),
    /** The id of the subject; the kind defines what it identifies. */
    subjectId: p.text(),
    /** Null, like `devMode`, if it concerns the service as a whole. */
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
