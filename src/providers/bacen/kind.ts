import type { AccountOption, ProviderKind } from '../provider-kind.ts';
import { asksForSecret, bacenProfile, readBacenAccount } from './account.ts';
import { capabilitiesOfProfile, createBacenProvider } from './bacen-provider.ts';
import { BACEN_OPTIONS } from './options.ts';
import type { BacenProfile } from './profile.ts';
import { BACEN_PROFILES } from './profiles/index.ts';

/** Banks with Bacen's API Pix. */
export const BACEN: ProviderKind = {
  profiles: Object.keys(BACEN_PROFILES),
  ownAccountSetting: 'payoutKey',
  environmentSetting: 'bankEnvironment',
  nameOf(profile) {
    const bank = bacenProfile(profile);
    return hasAddress(bank) ? bank.institution : null;
  },
  optionsOf(profile) {
    const bank = bacenProfile(profile);
    return hasAddress(bank) ? BACEN_OPTIONS.filter((option) => isOf(bank, option)) : [];
  },
  describe: (profile) => capabilitiesOfProfile(bacenProfile(profile)),
  create: (account, claims) => createBacenProvider(readBacenAccount(account), { claims: claims ?? null }),
};

function hasAddress({ production }: BacenProfile): boolean {
  return production !== null;
}

/** Whether the bank asks for it. */
function isOf(bank: BacenProfile, { name }: AccountOption): boolean {
  const used: readonly string[] = [...Object.values(bank.headers), ...Object.values(bank.query)];
  switch (name) {
    case 'clientSecret':
      return asksForSecret(bank);
    case 'accountNumber':
    case 'applicationKey':
      return used.includes(name);
    case 'payoutKey':
      return bank.send !== null;
    default:
      return true;
  }
}
