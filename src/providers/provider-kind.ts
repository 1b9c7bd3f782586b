import type { Capabilities } from './capabilities.ts';
import type { OrderClaims } from './order-claims.ts';
import type { PaymentProvider } from './provider.ts';

/** A store's account at a provider. The kind defines the names of settings and secrets. */
export interface ProviderAccountInput {
  /** The `provider` of what it issues, and part of its notifications' address. */
  readonly id: string;
  readonly profile: string;
  /** Visible to operators: addresses, client ids, the PIX key that receives payments. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Stored encrypted and never shown. The CLI reads them from files (`kind-options.ts`), and generates `notificationSecret`, the last part of the notifications' address.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A command-line option that gives a setting or a secret of an account. */
export interface AccountOption {
  /** The setting or secret, as in {@link ProviderAccountInput}. */
  readonly name: string;
  /** Such as `--client-id <id>`. Kinds that share an option share its flags. */
  readonly flags: string;
  readonly description: string;
  /** A secret is read from a file. */
  readonly gives: 'SETTING' | 'SECRET';
}

/** A kind of provider for accounts of stores, with one or several profiles: one per institution. */
export interface ProviderKind {
  readonly profiles: readonly string[];
  /** The setting that names the store's own account, to which payouts go; null if there is none. */
  readonly ownAccountSetting: string | null;
  /** The capabilities of an account with that profile. */
  describe(profile: string): Capabilities;
  /**
   * Makes no call, and may be called again for the same account with new secrets.
   * @param claims of this account. Without them, an adapter that needs them gives no orders.
   * @throws WrongAccountSetting if a setting or secret is missing, unknown or malformed.
   */
  create(account: ProviderAccountInput, claims?: OrderClaims): PaymentProvider;
}

/** An invalid setting or secret. The message contains no part of a secret. */
export class WrongAccountSetting extends Error {
  /** As in {@link ProviderAccountInput}. */
  readonly setting: string;
  /** What is expected. */
  readonly rule: string;

  constructor(setting: string, rule: string) {
    super(`${setting}: ${rule}`);
    this.name = 'WrongAccountSetting';
    this.setting = setting;
    this.rule = rule;
  }
}
