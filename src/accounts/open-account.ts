import type { ProviderAccount } from '../database/entities/provider-account.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { ProviderAccountInput, ProviderKind } from '../providers/provider-kind.ts';
import type { KeptSecret, SecretsKeys } from '../secrets/secrets-keys.ts';

/** What accounts are made use of with. */
export interface AccountKeys {
  readonly keys: SecretsKeys;
  /** By the name that `accounts add --provider` takes. */
  readonly kinds: Readonly<Record<string, ProviderKind>>;
}

/**
 * The adapter of an account. No call is made.
 * @throws ProviderError UNAUTHORIZED, whose message says what this process lacks, and nothing of a secret.
 */
export function openAccount(account: ProviderAccount, { keys, kinds }: AccountKeys): PaymentProvider {
  try {
    const kind = kinds[account.kind];
    if (kind === undefined) throw new Error(`this release knows no provider "${account.kind}"`);
    return kind.create(inputOf(account, keys));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProviderError('UNAUTHORIZED', `the provider account ${account.id} cannot be used: ${reason}`);
  }
}

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

/**
 * Where an account's notifications are sent to, below the service's own address. Its last part is a secret: it is told
 * to the provider alone.
 */
export function notificationPath(account: ProviderAccount, keys: SecretsKeys): string {
  const { notificationSecret = '' } = inputOf(account, keys).secrets;
  return `/notifications/${account.id}/${notificationSecret}`;
}
