import type { Capabilities } from '../../../src/providers/capabilities.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import {
  type ProviderAccountInput,
  type ProviderKind,
  WrongAccountSetting,
} from '../../../src/providers/provider-kind.ts';
import { MisbehavingProvider } from './misbehaving-provider.ts';

/** A bank that stores have accounts at: it does PIX and payouts to keys, and nothing else. */
export class TestBank implements ProviderKind {
  readonly profiles = ['north', 'south'];
  /** By the account; with each rotation another one takes over, which knows what the one before knew. */
  readonly accounts = new Map<string, TestBankAccount>();
  /** How often an adapter was made, for whatever account. */
  made = 0;

  describe(): Capabilities {
    return {
      pix: { maxExpirySeconds: 86_400 },
      boleto: null,
      card: null,
      refund: { partial: true, asynchronous: true, windowDays: 90 },
      payout: { pixKey: true, ownAccount: false },
      disputes: false,
      listings: false,
      notifications: 'token',
    };
  }

  create(account: ProviderAccountInput): TestBankAccount {
    const { clientId = '' } = account.settings;
    const { clientSecret = '' } = account.secrets;
    if (clientId === '') throw new WrongAccountSetting('clientId', 'must be the id of the application');
    if (clientSecret === '') throw new WrongAccountSetting('clientSecret', 'must be given');
    this.made += 1;
    const known = this.accounts.get(account.id) ?? new TestBankAccount(account.id, this.describe());
    known.clientSecret = clientSecret;
    this.accounts.set(account.id, known);
    return known;
  }
}

export class TestBankAccount extends MisbehavingProvider {
  override readonly name: string;
  readonly #capabilities: Capabilities;
  clientSecret = '';
  /** What the bank takes; null for anything. */
  rightSecret: string | null = null;

  constructor(name: string, capabilities: Capabilities) {
    super();
    this.name = name;
    this.#capabilities = capabilities;
  }

  override describe(): Capabilities {
    return this.#capabilities;
  }

  override findByReference(reference: string) {
    const isRight = this.rightSecret === null || this.rightSecret === this.clientSecret;
    if (isRight) return super.findByReference(reference);
    throw new ProviderError('UNAUTHORIZED', 'the bank does not take the credentials');
  }
}
