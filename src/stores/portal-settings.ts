import { PortalSettingsEntity } from '../database/entities/portal-settings.ts';
import type { Em } from '../database/orm.ts';
import { DEFAULT_PORTAL_SETTINGS, type PortalSettings } from '../domain/portal-settings.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/** What payers may do now: {@link DEFAULT_PORTAL_SETTINGS} until someone changes it. */
export async function portalSettingsOf(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
): Promise<PortalSettings> {
  const row = await em.findOne(PortalSettingsEntity, { storeId, devMode }, { disableIdentityMap: true });
  if (row === null) return DEFAULT_PORTAL_SETTINGS;
  const { storeId: _storeId, devMode: _devMode, updatedAt: _updatedAt, ...settings } = row;
  return settings;
}

/** Sets what payers may do, in the caller's transaction. */
export async function savePortalSettings(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  settings: PortalSettings,
  now: Date,
): Promise<void> {
  await em.upsert(
    PortalSettingsEntity,
    { storeId, devMode, ...settings, offeredPlanIds: [...settings.offeredPlanIds], updatedAt: now },
    { onConflictFields: ['storeId', 'devMode'] },
  );
}
