import type { ProviderAccount } from '../database/entities/provider-account.ts';
import type { ProviderAccountInput } from '../providers/provider-kind.ts';
import type { KeptSecret, SecretsKeys } from '../secrets/secrets-keys.ts';

export type AccountSecrets = ProviderAccountInput['secrets'];

/** An account as its adapter is made of it. @throws where its secrets cannot be read with the keys that are there. */
export function inputOf(account: ProviderAccount, keys: SecretsKeys): ProviderAccountInput {
  const { id, profile, settings } = account;
  return { id, profile, settings, secrets: JSON.parse(keys.decrypt(account, id)) };
}

/** Secrets as they are kept: all of an account in one text, which can be read in its row alone. */
export function keptSecrets(
  { id, secrets }: Pick<ProviderAccountInput, 'id' | 'secrets'>,
  keys: SecretsKeys,
): KeptSecret {
  return keys.encrypt(JSON.stringify(secrets), id);
}
