import type { Logger } from 'pino';
import type { ProviderAccount } from '../database/entities/provider-account.ts';
import type { Database } from '../database/orm.ts';
import type { ProviderAccountId } from '../domain/ids.ts';
import { NO_PROVIDER, noProvider } from '../providers/no-provider.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { NoSuchAccount } from '../providers/provider-error.ts';
import type { ProviderKind } from '../providers/provider-kind.ts';
import {
  type Issued,
  type ProviderOwner,
  type Providers,
  providersOfOne,
  type StoreProviders,
  storeProvidersOf,
} from '../providers/providers.ts';
import type { SecretsKeys } from '../secrets/secrets-keys.ts';
import { openAccount } from './open-account.ts';
import { accountClaims } from './order-claims.ts';
import { findAccount, SERVING_ACCOUNTS } from './provider-accounts.ts';
import { watched } from './watched-provider.ts';

/** What using accounts needs. */
export interface AccountProvidersDeps {
  readonly database: Database;
  readonly secretsKeys: SecretsKeys;
  readonly kinds: Readonly<Record<string, ProviderKind>>;
  /** The provider of every dev environment. */
  readonly sandbox: PaymentProvider;
  readonly log: Logger;
}

/** An account's adapter in this process, with its tokens and connections. */
interface Built {
  readonly version: number;
  readonly provider: PaymentProvider;
}

/**
 * Selects the provider. Dev environments use the sandbox, without a query. Accounts are read each time, which is
 * cheap beside a call to a bank: a rotation or removal by another process applies from the next request on.
 */
export class AccountProviders implements Providers {
  readonly #deps: AccountProvidersDeps;
  readonly #sandbox: PaymentProvider;
  readonly #sandboxProviders: Promise<StoreProviders>;
  readonly #built = new Map<ProviderAccountId, Built>();

  constructor(deps: AccountProvidersDeps) {
    this.#deps = deps;
    this.#sandbox = watched(deps.sandbox, 'sandbox', deps.log);
    this.#sandboxProviders = Promise.resolve(providersOfOne(this.#sandbox));
  }

  async providersOf({ storeId, devMode }: ProviderOwner): Promise<StoreProviders> {
    if (devMode) return this.#sandboxProviders;
    const serving = await SERVING_ACCOUNTS(this.#deps.database, { storeId });
    return storeProvidersOf(serving.map((account) => [account.use, this.#providerOf(account)]));
  }

  async issuerOf({ provider, devMode }: Issued): Promise<PaymentProvider> {
    if (provider === NO_PROVIDER) return noProvider;
    if (devMode) return this.#sandbox;
    const account = await findAccount(this.#deps.database, provider as ProviderAccountId);
    if (account === null) throw new NoSuchAccount(provider);
    return this.#providerOf(account);
  }

  #providerOf(account: ProviderAccount): PaymentProvider {
    const built = this.#built.get(account.id);
    if (built?.version === account.version) return built.provider;
    const { database, secretsKeys: keys, kinds, log } = this.#deps;
    const opened = openAccount(account, { keys, kinds }, accountClaims(database, account.id));
    const provider = watched(opened, account.kind, log);
    this.#built.set(account.id, { version: account.version, provider });
    return provider;
  }
}
