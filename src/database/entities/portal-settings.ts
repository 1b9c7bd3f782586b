import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ProductId, StoreId } from '../../domain/ids.ts';
import type { PortalCancellation } from '../../domain/portal-settings.ts';

/** What payers of a store and environment may do in the customer portal. A store that never changed it has no row. */
export const PortalSettingsEntity = defineEntity({
  name: 'PortalSettings',
  tableName: 'portal_settings',
  properties: {
    storeId: p.text().$type<StoreId>().primary(),
    devMode: p.boolean().primary(),
    cancellation: p.text().$type<PortalCancellation>(),
    undoesCancellation: p.boolean(),
    /** Null if payers cannot pause. */
    longestPauseDays: p.integer().strictNullable(),
    changesCard: p.boolean(),
    changesMethod: p.boolean().default(false),
    changesDetails: p.boolean().default(false),
    changesEmail: p.boolean().default(false),
    asksForRefunds: p.boolean().default(false),
    offeredPlanIds: p.array().$type<ProductId[]>().defaultRaw("'{}'"),
    upgradesAtOnce: p.boolean().default(false),
    updatedAt: p.datetime(),
  },
});
export type PortalSettingsRow = InferEntity<typeof PortalSettingsEntity>;
