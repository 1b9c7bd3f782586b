import { servedUses } from '../../../accounts/account-uses.ts';
import { type AccountKeeping, inputOf } from '../../../accounts/open-account.ts';
import { findAccount } from '../../../accounts/provider-accounts.ts';
import type { ProviderAccount } from '../../../database/entities/provider-account.ts';
import type { Em } from '../../../database/orm.ts';
import type { ProviderAccountId } from '../../../domain/ids.ts';
import type { ProviderUse } from '../../../domain/provider-use.ts';
import { payoutStepUp } from '../approvals/payout-step-up.ts';
import { holdAuthority } from '../frame/money-wait.ts';
import { nothingHere } from '../frame/route.ts';
import { ownStepUp, type StepUp } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';

/** An account decides where real money goes, so a person proves themselves as for a payout. */
export async function accountStepUp(visit: Visit): Promise<StepUp> {
  return { needsCode: ownStepUp(visit).needsCode || (await payoutStepUp(visit)).needsCode };
}

/** New owners wait before they can move where money goes. @throws NoAuthority, MoneyWaits */
export function holdAccountAuthority(em: Em, visit: Visit): Promise<void> {
  return holdAuthority(em, visit, 'provider-account:manage', 'of environment');
}

/** Accounts serve production only. @throws Refusal 404 in dev mode. */
export function requireProduction({ devMode }: Visit): void {
  if (devMode) throw nothingHere();
}

/** An account of this store that was not removed. @throws Refusal 404 */
export async function requireServingAccount(visit: Visit): Promise<ProviderAccount> {
  const account = await requireOwnAccount(visit);
  if (account.removedAt !== null) throw nothingHere();
  return account;
}

/** An account of this store, also a removed one. @throws Refusal 404 */
export async function requireOwnAccount(visit: Visit): Promise<ProviderAccount> {
  requireProduction(visit);
  const account = await findAccount(visit.em, visit.params.id as ProviderAccountId);
  if (account === null || account.storeId !== visit.store.id) throw nothingHere();
  return account;
}

export function usesOfAccount(visit: Visit, { id }: ProviderAccount): Promise<readonly ProviderUse[]> {
  return servedUses(visit.em, id);
}

/** What the functions of accounts need, within a transaction of this request. */
export function keepingOf({ deps }: Visit, em: Em): AccountKeeping {
  return { em, keys: deps.secretsKeys, kinds: deps.providerKinds };
}

/** The names of the stored secrets; null if this process cannot decrypt them. No value leaves this function. */
export function storedSecretNames({ deps, log }: Visit, account: ProviderAccount): readonly string[] | null {
  try {
    return Object.keys(inputOf(account, deps.secretsKeys).secrets);
  } catch (error) {
    log.warn({ err: error, accountId: account.id }, 'secrets of a provider account are unreadable');
    return null;
  }
}
