import { BillingSettingsEntity } from '../database/entities/billing-settings.ts';
import type { Em } from '../database/orm.ts';
import { type BillingSettings, DEFAULT_BILLING_SETTINGS } from '../domain/billing-settings.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/** How the store bills now: {@link DEFAULT_BILLING_SETTINGS} until someone changes it. */
export async function billingSettingsOf(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
): Promise<BillingSettings> {
  const row = await em.findOne(BillingSettingsEntity, { storeId, devMode }, { disableIdentityMap: true });
  if (row === null) return DEFAULT_BILLING_SETTINGS;
  const { dunningEnd, missedCycles, mailsInvoices, mailsConsents, mandateEnd } = row;
  return { dunningEnd, missedCycles, mailsInvoices, mailsConsents, mandateEnd };
}

/** Sets how the store bills, in the caller's transaction. */
export async function saveBillingSettings(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  settings: BillingSettings,
  now: Date,
): Promise<void> {
  await em.upsert(
    BillingSettingsEntity,
    { storeId, devMode, ...settings, updatedAt: now },
    { onConflictFields: ['storeId', 'devMode'] },
  );
}
