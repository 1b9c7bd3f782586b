import { randomBytes } from 'node:crypto';
import { resolveAttention } from '../database/attention.ts';
import { type ProviderAccount, ProviderAccountEntity } from '../database/entities/provider-account.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { ProviderAccountId, StoreId } from '../domain/ids.ts';
import type { ProviderUse } from '../domain/provider-use.ts';
import { mintId } from '../ids.ts';
import { type AccountMoney, MONEY_AT_ACCOUNTS } from '../ledger/clearing.ts';
import { CARD_FEES_OPTION } from '../providers/card-fees-option.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import {
  type AccountProblem,
  type ProviderAccountInput,
  type ProviderKind,
  refuseProblems,
  WrongAccountSetting,
} from '../providers/provider-kind.ts';
import type { SecretsKeys } from '../secrets/secrets-keys.ts';
import { type ServingAccount, serve, usesFor } from './account-uses.ts';
import { certificateEnd } from './certificate.ts';
import { type AccountKeeping, inputOf, keptSecrets } from './open-account.ts';
import { requireAccount } from './provider-accounts.ts';

/** A new account. */
export interface NewAccount {
  readonly storeId: string;
  readonly kind: string;
  readonly profile: string;
  /** The uses it should serve; null for all that its provider supports. */
  readonly uses: readonly ProviderUse[] | null;
  readonly settings: ProviderAccountInput['settings'];
  readonly secrets: ProviderAccountInput['secrets'];
}

/** An account that was just added. */
export interface AddedAccount extends ServingAccount {
  /** The setting without which payouts to the store's own account are refused; null if nothing is missing. */
  readonly missingOwnAccount: string | null;
}

/** A serving account with the money booked there; see {@link AccountMoney}. */
export type ListedAccount = ServingAccount & Pick<AccountMoney, 'heldCents' | 'availableCents'>;

/**
 * Stores an account with encrypted secrets; it serves from then on. Makes no call to its provider.
 * @throws WrongAccountSetting naming all that is invalid, or that another account of the store serves the use.
 */
export function addAccount(keeping: AccountKeeping, given: NewAccount, now: Date): Promise<AddedAccount> {
  const { keys } = keeping;
  const id = mintId<ProviderAccountId>('providerAccount', now);
  const secrets = { ...given.secrets, notificationSecret: randomBytes(32).toString('base64url') };
  const input = { id, profile: given.profile, settings: given.settings, secrets };
  const kind = kindOf(keeping, given.kind, given.profile);
  const { provider, certificateEndsAt } = checked(kind, input);
  const uses = usesFor(provider, given.uses);
  const account: ProviderAccount = {
    id,
    storeId: given.storeId as StoreId,
    kind: given.kind,
    profile: given.profile,
    settings: { ...given.settings },
    ...encrypted(input, keys),
    version: 1,
    certificateEndsAt,
    createdAt: now,
    rotatedAt: null,
    removedAt: null,
    testedAt: null,
    lastTest: null,
    registeredAt: null,
  };
  return keeping.em.transactional(async (em) => {
    if ((await em.findOne(StoreEntity, { id: account.storeId })) === null)
      throw new WrongAccountSetting('store', 'must be a store; see "stores list"');
    await em.insert(ProviderAccountEntity, account);
    await serve(em, account, uses);
    await resolveAttention(em, { kind: 'NO_PROVIDER', subjectId: account.storeId, now });
    const isSet = !uses.includes('PAYOUT') || provider.payouts?.ownAccount === true;
    return { account, uses, missingOwnAccount: isSet ? null : kind.ownAccountSetting };
  });
}

function kindOf({ kinds }: AccountKeeping, name: string, profile: string): ProviderKind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined)
    throw new WrongAccountSetting('provider', `must be one of ${Object.keys(kinds).join(', ')}`);
  if (!kind.profiles.includes(profile))
    throw new WrongAccountSetting('profile', `must be one of ${kind.profiles.join(', ')}`);
  return kind;
}

/** Creating the adapter validates settings and secrets. @throws WrongAccountSetting naming all that are wrong. */
function checked(kind: ProviderKind, input: ProviderAccountInput) {
  const made = attempt(() => kind.create(input));
  const ends = attempt(() => certificateEnd(input.secrets));
  refuseProblems([...made.problems, ...ends.problems]);
  return { provider: made.value as PaymentProvider, certificateEndsAt: ends.value ?? null };
}

function attempt<Value>(work: () => Value): {
  readonly value: Value | null;
  readonly problems: readonly AccountProblem[];
} {
  try {
    return { value: work(), problems: [] };
  } catch (error) {
    if (!(error instanceof WrongAccountSetting)) throw error;
    return { value: null, problems: error.problems };
  }
}

/** @throws WrongAccountSetting without an encryption key: credentials are never stored as text. */
function encrypted(input: ProviderAccountInput, keys: SecretsKeys) {
  if (keys.currentId === null)
    throw new WrongAccountSetting('SECRETS_KEY', 'must be set: the account is encrypted with it');
  return keptSecrets(input, keys);
}

/** What a rotation changes. */
export interface AccountChange {
  /** Null removes a setting. */
  readonly settings: Readonly<Record<string, string | null>>;
  readonly secrets: ProviderAccountInput['secrets'];
}

/**
 * Changes secrets or settings of an account; missing ones stay. Every process uses them from its next call on.
 * @throws WrongAccountSetting as {@link addAccount}, and if it was rotated concurrently.
 */
export async function rotateAccount(
  keeping: AccountKeeping,
  id: string,
  given: AccountChange,
  now: Date,
): Promise<ProviderAccount> {
  const { em, keys } = keeping;
  const account = await requireAccount(em, id);
  const { settings, secrets } = inputOf(account, keys);
  const input = {
    id: account.id,
    profile: account.profile,
    settings: withoutNulls({ ...settings, ...given.settings }),
    secrets: { ...secrets, ...given.secrets },
  };
  const kind = kindOf(keeping, account.kind, account.profile);
  const { certificateEndsAt } = checked(kind, input);
  const change = {
    settings: input.settings,
    ...encrypted(input, keys),
    certificateEndsAt,
    version: account.version + 1,
    rotatedAt: now,
    // A test says nothing about other credentials.
    testedAt: null,
    lastTest: null,
    ...(isElsewhere(kind, settings, given.settings) && { registeredAt: null }),
  };
  return em.transactional(async (tx) => {
    const asRead = { id: account.id, version: account.version };
    if ((await tx.nativeUpdate(ProviderAccountEntity, asRead, change)) === 0)
      throw new WrongAccountSetting(
        'id',
        'was rotated by somebody else at the same time; look, and try again',
      );
    for (const kind of ['NO_PROVIDER', 'CERTIFICATE_ENDS'] as const)
      await resolveAttention(tx, { kind, subjectId: account.id, now });
    return { ...account, ...change };
  });
}

/**
 * Whether other settings may mean another account at the provider, or another key that receives payments. The fees of cards only
 * say what the store's contract with the provider is.
 */
function isElsewhere(
  { ownAccountSetting }: ProviderKind,
  before: NewAccount['settings'],
  given: AccountChange['settings'],
): boolean {
  return Object.entries(given).some(
    ([name, value]) =>
      name !== ownAccountSetting && name !== CARD_FEES_OPTION.name && (before[name] ?? null) !== value,
  );
}

function withoutNulls(settings: AccountChange['settings']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** Stops new use of an account; what it has issued stays with it. A repeated call has no effect. */
export function removeAccount(em: Em, id: string, now: Date): Promise<ProviderAccount> {
  return em.transactional(async (tx) => {
    const account = await requireAccount(tx, id);
    const accountId = account.id;
    await tx.execute('delete from provider_account_uses where account_id = :accountId', { accountId }, 'run');
    if (account.removedAt !== null) return account;
    await tx.nativeUpdate(ProviderAccountEntity, { id: accountId }, { removedAt: now });
    await resolveAttention(tx, { kind: 'CERTIFICATE_ENDS', subjectId: accountId, now });
    return { ...account, removedAt: now };
  });
}

/** Accounts of a store, or of all, oldest first, including removed ones. */
export async function listAccounts(em: Em, storeId: string | null): Promise<ListedAccount[]> {
  const where = storeId === null ? {} : { storeId: storeId as StoreId };
  const accounts = await em.find(ProviderAccountEntity, where, { orderBy: { createdAt: 'asc', id: 'asc' } });
  const serving = await em.execute<{ account_id: ProviderAccountId; use: ProviderUse }[]>(
    'select account_id, use from provider_account_uses order by use',
  );
  const usesBy = Map.groupBy(serving, (row) => row.account_id);
  const moneyBy = new Map((await MONEY_AT_ACCOUNTS(em, {})).map(({ id, ...money }) => [id, money]));
  return accounts.map((account) => ({
    account,
    uses: (usesBy.get(account.id) ?? []).map(({ use }) => use),
    ...(moneyBy.get(account.id) ?? { heldCents: 0, availableCents: 0 }),
  }));
}
