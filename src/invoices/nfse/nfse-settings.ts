import { NfseSettingsEntity } from '../../database/entities/nfse.ts';
import type { Em } from '../../database/orm.ts';
import { DEFAULT_NFSE_SETTINGS, type NfseSettings } from '../../domain/nfse/nfse.ts';
import type { StoreEnvironment } from '../../domain/store-environment.ts';

/** Whether and how the store issues DPS now: {@link DEFAULT_NFSE_SETTINGS} until someone changes it. */
export async function nfseSettingsOf(em: Em, { storeId, devMode }: StoreEnvironment): Promise<NfseSettings> {
  const row = await em.findOne(NfseSettingsEntity, { storeId, devMode }, { disableIdentityMap: true });
  if (row === null) return DEFAULT_NFSE_SETTINGS;
  const { isOn, issuesOn, issuer } = row;
  return { isOn, issuesOn, issuer };
}

/** Sets it, in the caller's transaction. */
export async function saveNfseSettings(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  settings: NfseSettings,
  now: Date,
): Promise<void> {
  await em.upsert(
    NfseSettingsEntity,
    { storeId, devMode, ...settings, updatedAt: now },
    { onConflictFields: ['storeId', 'devMode'] },
  );
}
