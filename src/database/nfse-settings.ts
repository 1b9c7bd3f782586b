import type { StoreId } from '../domain/ids.ts';
import { DEFAULT_NFSE_SETTINGS, type NfseSettings } from '../domain/nfse/nfse.ts';
import { NfseSettingsEntity } from './entities/nfse.ts';
import type { Em } from './orm.ts';

/** A store in one environment. */
interface Owner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** Whether and how the store issues DPS now: {@link DEFAULT_NFSE_SETTINGS} until someone changes it. */
export async function nfseSettingsOf(em: Em, { storeId, devMode }: Owner): Promise<NfseSettings> {
  const row = await em.findOne(NfseSettingsEntity, { storeId, devMode }, { disableIdentityMap: true });
  if (row === null) return DEFAULT_NFSE_SETTINGS;
  const { isOn, issuesOn, issuer } = row;
  return { isOn, issuesOn, issuer };
}

/** Sets it, in the caller's transaction. */
export async function saveNfseSettings(
  em: Em,
  { storeId, devMode }: Owner,
  settings: NfseSettings,
  now: Date,
): Promise<void> {
  await em.upsert(
    NfseSettingsEntity,
    { storeId, devMode, ...settings, updatedAt: now },
    { onConflictFields: ['storeId', 'devMode'] },
  );
}
