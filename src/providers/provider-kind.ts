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
   * Stored encrypted and never shown. `addAccount` generates `notificationSecret`, the last part of the notifications' address.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A setting or a secret of an account that a command-line option or a field of the dashboard's form gives. */
export interface AccountOption {
  /** The setting or secret, as in {@link ProviderAccountInput}. */
  readonly name: string;
  /** Such as `--client-id <id>`. Kinds that share an option share its flags. Null if `--setting` or `--secret-file` gives it. */
  readonly flags: string | null;
  /** For the command's help. */
  readonly description: string;
  /** On the command line a secret is read from a file. */
  readonly gives: 'SETTING' | 'SECRET';
  /** How the form asks for it: a text, a text that is never shown again, a file, or one of these values, the first by default. */
  readonly input: 'TEXT' | 'SECRET_TEXT' | 'FILE' | readonly [string, ...string[]];
  /** Whether an account of every profile that asks for it needs it. */
  readonly isRequired: boolean;
}

/** A kind of provider for accounts of stores, with one or several profiles: one per institution. */
export interface ProviderKind {
  readonly profiles: readonly string[];
  /** The setting that names the store's own account, to which payouts go; null if there is none. */
  readonly ownAccountSetting: string | null;
  /** The setting that says whether money moves: `production` or `live` if it does. Null if there is none. */
  readonly environmentSetting: string | null;
  /** The capabilities of an account with that profile. */
  describe(profile: string): Capabilities;
  /** The name of the institution; null if the profile serves any. */
  nameOf(profile: string): string | null;
  /**
   * What the dashboard's form asks for. It never asks for addresses: a browser must not choose where the service sends
   * credentials. A profile without addresses of its own is therefore for the command line only, and asks for nothing.
   */
  optionsOf(profile: string): readonly AccountOption[];
  /**
   * Makes no call, and may be called again for the same account with new secrets.
   * @param claims of this account. Without them, an adapter that needs them gives no orders.
   * @throws WrongAccountSetting naming every setting or secret that is missing, unknown or malformed.
   */
  create(account: ProviderAccountInput, claims?: OrderClaims): PaymentProvider;
}

/** An invalid setting or secret, as in {@link ProviderAccountInput}, and what is expected of it. */
export interface AccountProblem {
  readonly setting: string;
  readonly rule: string;
}

/** Invalid settings or secrets. The message contains no part of a secret. */
export class WrongAccountSetting extends Error {
  readonly problems: readonly [AccountProblem, ...AccountProblem[]];

  constructor(setting: string, rule: string, ...others: readonly AccountProblem[]) {
    const problems = [{ setting, rule }, ...others] as const;
    super(problems.map((problem) => `${problem.setting}: ${problem.rule}`).join('; '));
    this.name = 'WrongAccountSetting';
    this.problems = problems;
  }
}

/** @throws WrongAccountSetting if there are problems. */
export function refuseProblems([first, ...others]: readonly AccountProblem[]): void {
  if (first !== undefined) throw new WrongAccountSetting(first.setting, first.rule, ...others);
}
