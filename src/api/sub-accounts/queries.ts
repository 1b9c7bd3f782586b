import { hasTaxId } from '../../database/encryption/tax-id-search.ts';
import { type SubAccount, SubAccountEntity } from '../../database/entities/sub-account.ts';
import type { Em } from '../../database/orm.ts';
import type { SubAccountId } from '../../domain/ids.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';

interface Filters {
  readonly id?: string | undefined;
  readonly externalId?: string | undefined;
  readonly taxId?: string | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** Limits to the caller's sub-accounts that match. A text that is no tax id matches none. */
export function subAccountFilter(em: Em, caller: Caller, filters: Filters) {
  const { id, externalId, taxId } = filters;
  return {
    ...ownedBy(caller),
    ...createdWithin(filters),
    ...(id !== undefined && { id: id as SubAccountId }),
    ...(externalId !== undefined && { externalId }),
    ...(taxId !== undefined && hasTaxId(em, caller, parseTaxId(taxId)?.bare ?? taxId)),
  };
}

/** @throws ApiError NOT_FOUND, as {@link requireRow} does. */
export function requireSubAccount(em: Em, caller: Caller, id: string): Promise<SubAccount> {
  const where = { ...ownedBy(caller), id: id as SubAccountId };
  return requireRow(em, SubAccountEntity, where, 'Sub-account');
}

/** Those of the ids that are the caller's sub-accounts, in any order. */
export function findSubAccounts(em: Em, caller: Caller, ids: readonly SubAccountId[]): Promise<SubAccount[]> {
  return em.find(
    SubAccountEntity,
    { ...ownedBy(caller), id: { $in: [...ids] } },
    { disableIdentityMap: true },
  );
}
