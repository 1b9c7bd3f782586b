import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { DunningEnd, MissedCycles } from '../../domain/billing-settings.ts';
import type { StoreId } from '../../domain/ids.ts';
import type { MandateEnd } from '../../domain/mandate.ts';

/** How a store bills its subscriptions in an environment. A store that never changed it has no row. */
export const BillingSettingsEntity = defineEntity({
  name: 'BillingSettings',
  tableName: 'billing_settings',
  properties: {
    storeId: p.text().$type<StoreId>().primary(),
    devMode: p.boolean().primary(),
    dunningEnd: p.text().$type<DunningEnd>(),
    missedCycles: p.text().$type<MissedCycles>(),
    mailsInvoices: p.boolean().default(false),
    mailsConsents: p.boolean().default(false),
    mandateEnd: p.text().$type<MandateEnd>().default('CANCEL'),
    updatedAt: p.datetime(),
  },
});
export type BillingSettingsRow = InferEntity<typeof BillingSettingsEntity>;
