import type { ProviderKind } from '../provider-kind.ts';
import { readAsaasAccount } from './account.ts';
import { ASAAS_CAPABILITIES, createAsaasProvider } from './asaas-provider.ts';

/** Boletos and PIX through Asaas. */
export const ASAAS: ProviderKind = {
  profiles: ['asaas'],
  ownAccountSetting: null,
  describe: () => ASAAS_CAPABILITIES,
  create: (account) => createAsaasProvider(readAsaasAccount(account)),
};
