import type { Capabilities } from './capabilities.ts';
import type { PaymentProvider } from './provider.ts';

/** What is known of a store's account at a provider. The names of settings and secrets are the kind's own. */
export interface ProviderAccountInput {
  /** Stands in the `provider` of what it issues, and in the address of its notifications. */
  readonly id: string;
  readonly profile: string;
  /** May be shown to operators: addresses, client ids, the PIX key that is paid. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Kept encrypted and never shown. The command line reads `clientSecret`, `certificate`, `privateKey` and `ca` (PEM) from
   * files, and makes `notificationSecret`, which ends the address that notifications are sent to.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A kind of provider that stores can have accounts at, in one or several profiles: an institution each. */
export interface ProviderKind {
  readonly profiles: readonly string[];
  /** What an account of that profile can do, as its `describe()` says. */
  describe(profile: string): Capabilities;
  /**
   * Makes no call, and may be made again for the same account with other secrets.
   * @throws WrongAccountSetting where a setting or secret is missing, unknown or not of the right form.
   */
  create(account: ProviderAccountInput): PaymentProvider;
}

/** A setting or secret that cannot be right. The message holds nothing of a secret. */
export class WrongAccountSetting extends Error {
  /** As in {@link ProviderAccountInput}. */
  readonly setting: string;
  /** What would be right. */
  readonly rule: string;

  constructor(setting: string, rule: string) {
    super(`${setting}: ${rule}`);
    this.name = 'WrongAccountSetting';
    this.setting = setting;
    this.rule = rule;
  }
}
