import { randomBytes } from 'node:crypto';
import { resolveAttention } from '../database/attention.ts';
import { type ProviderAccount, ProviderAccountEntity } from '../database/entities/provider-account.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { ProviderAccountId, StoreId } from '../domain/ids.ts';
import type { ProviderUse } from '../domain/provider-use.ts';
import { mintId } from '../ids.ts';
import { type AccountMoney, MONEY_AT_ACCOUNTS } from '../ledger/clearing.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import {
  type ProviderAccountInput,
  type ProviderKind,
  WrongAccountSetting,
} from '../providers/provider-kind.ts';
import { usesOf } from '../providers/providers.ts';
import type { SecretsKeys } from '../secrets/secrets-keys.ts';
import { certificateEnd } from './certificate.ts';
import { type AccountKeys, inputOf, keptSecrets } from './open-account.ts';
import { findAccount } from './provider-accounts.ts';

/** What managing accounts needs. */
export interface AccountKeeping extends AccountKeys {
  readonly em: Em;
}

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

/** An account and its uses: none once it is removed. */
export interface ServingAccount {
  readonly account: ProviderAccount;
  readonly uses: readonly ProviderUse[];
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
 * @throws WrongAccountSetting if something is invalid, or another account of the store already serves the use.
 */
export function addAccount(keeping: AccountKeeping, given: NewAccount, now: Date): Promise<AddedAccount> {
  const { keys } = keeping;
  const id = mintId<ProviderAccountId>('providerAccount', now);
  const secrets = { ...given.secrets, notificationSecret: randomBytes(32).toString('base64url') };
  const input = { id, profile: given.profile, settings: given.settings, secrets };
  // Creating its adapter validates settings and secrets.
  const kind = kindOf(keeping, given.kind, given.profile);
  const provider = kind.create(input);
  const uses = usesFor(provider, given.uses);
  const account: ProviderAccount = {
    id,
    storeId: given.storeId as StoreId,
    kind: given.kind,
    profile: given.profile,
    settings: { ...given.settings },
    ...encrypted(input, keys),
    version: 1,
    certificateEndsAt: certificateEnd(secrets),
    createdAt: now,
    rotatedAt: null,
    removedAt: null,
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

/** The table's key allows one account of a store per use. */
async function serve(em: Em, { id, storeId }: ProviderAccount, uses: readonly ProviderUse[]): Promise<void> {
  for (const use of uses) {
    const served = await em.execute<unknown[]>(
      `insert into provider_account_uses (store_id, use, account_id) values (:storeId, :use, :id)
       on conflict do nothing returning 1`,
      { storeId, use, id },
    );
    if (served.length === 1) continue;
    const [other] = await em.execute<{ id: string }[]>(
      'select account_id as id from provider_account_uses where store_id = :storeId and use = :use',
      { storeId, use },
    );
    throw new WrongAccountSetting(
      'methods',
      `must leave out ${use}, which ${other?.id ?? 'another account'} serves for the store. "accounts rotate" gives that ` +
        'account other credentials; to use another bank, remove it first',
    );
  }
}

function kindOf({ kinds }: AccountKeeping, name: string, profile: string): ProviderKind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined)
    throw new WrongAccountSetting('provider', `must be one of ${Object.keys(kinds).join(', ')}`);
  if (!kind.profiles.includes(profile))
    throw new WrongAccountSetting('profile', `must be one of ${kind.profiles.join(', ')}`);
  return kind;
}

function usesFor(provider: PaymentProvider, wanted: NewAccount['uses']): readonly ProviderUse[] {
  const possible = usesOf(provider);
  const wrong = wanted?.find((use) => !possible.includes(use));
  if (wrong !== undefined)
    throw new WrongAccountSetting(
      'methods',
      `must be of ${possible.join(', ')}: ${wrong} is not possible there`,
    );
  return wanted ?? possible;
}

/** @throws WrongAccountSetting without an encryption key: credentials are never stored as text. */
function encrypted(input: ProviderAccountInput, keys: SecretsKeys) {
  if (keys.currentId === null)
    throw new WrongAccountSetting('SECRETS_KEY', 'must be set: the account is encrypted with it');
  return keptSecrets(input, keys);
}

/**
 * Changes secrets or settings of an account; missing ones stay. Every process uses them from its next call on.
 * @throws WrongAccountSetting as {@link addAccount}, and if it was rotated concurrently.
 */
export async function rotateAccount(
  keeping: AccountKeeping,
  id: string,
  given: Pick<NewAccount, 'settings' | 'secrets'>,
  now: Date,
): Promise<ProviderAccount> {
  const { em, keys } = keeping;
  const account = await requireAccount(em, id);
  const { settings, secrets } = inputOf(account, keys);
  const input = {
    id: account.id,
    profile: account.profile,
    settings: { ...settings, ...given.settings },
    secrets: { ...secrets, ...given.secrets },
  };
  kindOf(keeping, account.kind, account.profile).create(input);
  const change = {
    settings: input.settings,
    ...encrypted(input, keys),
    certificateEndsAt: certificateEnd(input.secrets),
    version: account.version + 1,
    rotatedAt: now,
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

/** @throws WrongAccountSetting if there is none. */
export async function requireAccount(em: Em, id: string): Promise<ProviderAccount> {
  const account = await findAccount(em, id as ProviderAccountId);
  if (account === null) throw new WrongAccountSetting('id', 'must be an account; see "accounts list"');
  return account;
}
