import type { ProviderKind } from '../provider-kind.ts';
import { readAsaasAccount } from './account.ts';
import { ASAAS_CAPABILITIES, createAsaasProvider } from './asaas-provider.ts';
import { ASAAS_OPTIONS } from './options.ts';

/** Boletos, PIX, cards and payouts through Asaas. */
export const ASAAS: ProviderKind = {
  profiles: ['asaas'],
  ownAccountSetting: 'payoutKey',
  environmentSetting: 'asaasEnvironment',
  nameOf: () => 'Asaas',
  optionsOf: () => ASAAS_OPTIONS,
  describe: () => ASAAS_CAPABILITIES,
  create: (account, claims) => createAsaasProvider(readAsaasAccount(account), claims ?? null),
};
