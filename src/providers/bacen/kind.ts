import type { ProviderKind } from '../provider-kind.ts';
import { bacenProfile, readBacenAccount } from './account.ts';
import { capabilitiesOfProfile, createBacenProvider } from './bacen-provider.ts';
import { BACEN_PROFILES } from './profiles/index.ts';

/** Banks with Bacen's API Pix. */
export const BACEN: ProviderKind = {
  profiles: Object.keys(BACEN_PROFILES),
  ownAccountSetting: 'payoutKey',
  describe: (profile) => capabilitiesOfProfile(bacenProfile(profile)),
  create: (account) => createBacenProvider(readBacenAccount(account)),
};
