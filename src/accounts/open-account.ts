import type { ProviderAccount } from '../database/entities/provider-account.ts';
import type { Em } from '../database/orm.ts';
import type { OrderClaims } from '../providers/order-claims.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { ProviderAccountInput, ProviderKind } from '../providers/provider-kind.ts';
import type { KeptSecret, SecretsKeys } from '../secrets/secrets-keys.ts';

/** What using accounts needs. */
export interface AccountKeys {
  readonly keys: SecretsKeys;
  /** By the name that `accounts add --provider` takes. */
  readonly kinds: Readonly<Record<string, ProviderKind>>;
}

/** What managing accounts needs. */
export interface AccountKeeping extends AccountKeys {
  readonly em: Em;
}

/**
 * Creates the adapter of an account. Makes no call.
 * @param claims of this account; only a process that issues and sends needs them.
 * @throws ProviderError UNAUTHORIZED, whose message says what this process lacks, without any secret.
 */
export function openAccount(
  account: ProviderAccount,
  { keys, kinds }: AccountKeys,
  claims?: OrderClaims,
): PaymentProvider {
  try {
    const kind = kinds[account.kind];
    if (kind === undefined) throw new Error(`this release knows no provider "${account.kind}"`);
    return kind.create(inputOf(account, keys), claims);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProviderError('UNAUTHORIZED', `the provider account ${account.id} cannot be used: ${reason}`);
  }
}

/** The input of an account's adapter. @throws if the available keys cannot decrypt its secrets. */
export function inputOf(account: ProviderAccount, keys: SecretsKeys): ProviderAccountInput {
  const { id, profile, settings } = account;
  return { id, profile, settings, secrets: JSON.parse(keys.decrypt(account, id)) };
}

/** Encrypts all secrets of an account as one text, bound to its row. */
export function keptSecrets(
  { id, secrets }: Pick<ProviderAccountInput, 'id' | 'secrets'>,
  keys: SecretsKeys,
): KeptSecret {
  return keys.encrypt(JSON.stringify(secrets), id);
}

/**
 * The path of an account's notifications below the service's address. Its last part is a secret that only the
 * provider knows.
 */
export function notificationPath(account: ProviderAccount, keys: SecretsKeys): string {
  const { notificationSecret = '' } = inputOf(account, keys).secrets;
  return `/notifications/${account.id}/${notificationSecret}`;
}
