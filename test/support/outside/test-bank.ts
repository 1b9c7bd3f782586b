import type { Capabilities } from '../../../src/providers/capabilities.ts';
import {
  type AccountOption,
  type ProviderAccountInput,
  type ProviderKind,
  WrongAccountSetting,
} from '../../../src/providers/provider-kind.ts';
import { MisbehavingProvider } from './misbehaving-provider.ts';

const PAYOUTS = { pixKey: true, ownAccount: false, txid: false };

const CAPABILITIES: Capabilities = {
  pix: { maxExpirySeconds: 86_400 },
  boleto: null,
  card: null,
  mandate: null,
  refund: { partial: true, asynchronous: true, windowDays: 90 },
  payout: { ...PAYOUTS, listed: false },
  disputes: false,
  listings: false,
  notifications: 'token',
};

const OPTIONS: readonly AccountOption[] = [
  {
    name: 'clientId',
    flags: null,
    description: 'of the application',
    gives: 'SETTING',
    input: 'TEXT',
    isRequired: true,
  },
  {
    name: 'clientSecret',
    flags: null,
    description: 'its secret',
    gives: 'SECRET',
    input: 'SECRET_TEXT',
    isRequired: true,
  },
];

/** A bank that stores have accounts at: it does PIX and payouts to keys, and nothing else. */
export class TestBank implements ProviderKind {
  readonly profiles = ['north', 'south'];
  readonly ownAccountSetting = null;
  readonly environmentSetting = null;
  /** By the account's id; one that is rotated is the same. */
  readonly accounts = new Map<string, MisbehavingProvider>();

  nameOf(profile: string): string {
    return profile;
  }

  optionsOf(): readonly AccountOption[] {
    return OPTIONS;
  }

  describe(): Capabilities {
    return CAPABILITIES;
  }

  create({ id, settings, secrets }: ProviderAccountInput): MisbehavingProvider {
    const { clientId = '' } = settings;
    const { clientSecret = '' } = secrets;
    if (clientId === '') throw new WrongAccountSetting('clientId', 'must be the id of the application');
    if (clientSecret === '') throw new WrongAccountSetting('clientSecret', 'must be given');
    const account = this.accounts.get(id) ?? new TestBankAccount(id);
    this.accounts.set(id, account);
    return account;
  }
}

class TestBankAccount extends MisbehavingProvider {
  override readonly name: string;
  override readonly maxExpirySeconds = 86_400;
  override readonly payoutTerms = PAYOUTS;

  constructor(name: string) {
    super();
    this.name = name;
  }

  override get boletos(): undefined {
    return undefined;
  }

  override get cards(): undefined {
    return undefined;
  }

  override get evidence(): never {
    return undefined as never;
  }

  override get disputes(): undefined {
    return undefined;
  }
}
