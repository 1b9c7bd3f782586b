import { resolveAttention } from '../database/attention.ts';
import type { ProviderAccount } from '../database/entities/provider-account.ts';
import type { Em } from '../database/orm.ts';
import type { ProviderAccountId } from '../domain/ids.ts';
import { PROVIDER_USES, type ProviderUse } from '../domain/provider-use.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { WrongAccountSetting } from '../providers/provider-kind.ts';
import { usesOf } from '../providers/providers.ts';
import { type AccountKeeping, openAccount } from './open-account.ts';
import { requireAccount } from './provider-accounts.ts';

/** An account and its uses: none once it is removed. */
export interface ServingAccount {
  readonly account: ProviderAccount;
  readonly uses: readonly ProviderUse[];
}

/** The table's key allows one account of a store per use. @throws WrongAccountSetting if another one serves it. */
export async function serve(
  em: Em,
  { id, storeId }: ProviderAccount,
  uses: readonly ProviderUse[],
): Promise<void> {
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

/** @throws WrongAccountSetting if the provider does not support one of the wanted uses. */
export function usesFor(
  provider: PaymentProvider,
  wanted: readonly ProviderUse[] | null,
): readonly ProviderUse[] {
  const possible = usesOf(provider);
  const wrong = wanted?.find((use) => !possible.includes(use));
  if (wrong !== undefined)
    throw new WrongAccountSetting(
      'methods',
      `must be of ${possible.join(', ')}: ${wrong} is not possible there`,
    );
  return wanted ?? possible;
}

/** The uses that an account serves now. */
export async function servedUses(em: Em, accountId: ProviderAccountId): Promise<readonly ProviderUse[]> {
  const rows = await em.execute<{ use: ProviderUse }[]>(
    'select use from provider_account_uses where account_id = :accountId',
    { accountId },
  );
  return PROVIDER_USES.filter((use) => rows.some((row) => row.use === use));
}

/**
 * Has an account serve exactly these uses from now on. What it has issued stays with it. Makes no call to its provider.
 * @returns whether anything changed; a repeated call changes nothing.
 * @throws WrongAccountSetting if there are none, the provider does not support one, another account of the store serves
 * one, or the account was removed.
 */
export async function changeUses(
  keeping: AccountKeeping,
  id: string,
  wanted: readonly ProviderUse[],
  now: Date,
): Promise<ServingAccount & { readonly isChanged: boolean }> {
  const account = await requireAccount(keeping.em, id);
  const uses = usesFor(openAccount(account, keeping), wanted);
  if (uses.length === 0)
    throw new WrongAccountSetting(
      'methods',
      'must name one at least; "accounts remove" stops using the account',
    );
  return keeping.em.transactional(async (em) => {
    await requireServing(em, account.id);
    const before = await servedUses(em, account.id);
    const ended = before.filter((use) => !uses.includes(use));
    const added = uses.filter((use) => !before.includes(use));
    await em.execute(
      `delete from provider_account_uses
       where account_id = :accountId and use = any(string_to_array(:ended, ','))`,
      { accountId: account.id, ended: ended.join(',') },
      'run',
    );
    await serve(em, account, added);
    await resolveAttention(em, { kind: 'NO_PROVIDER', subjectId: account.storeId, now });
    return { account, uses: await servedUses(em, account.id), isChanged: ended.length + added.length > 0 };
  });
}

/** Concurrent changes and a removal of the same account are serialized. */
async function requireServing(em: Em, accountId: ProviderAccountId): Promise<void> {
  const serving = await em.execute<unknown[]>(
    'select 1 from provider_accounts where id = :accountId and removed_at is null for no key update',
    { accountId },
  );
  if (serving.length === 0)
    throw new WrongAccountSetting('id', 'must be an account that was not removed; see "accounts list"');
}
