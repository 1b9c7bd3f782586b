import { type NamedLine, withNames } from '../../audit-log/actor-names.ts';
import { AuditLineEntity } from '../../database/entities/audit-line.ts';
import type { Em } from '../../database/orm.ts';
import type { ActorKind } from '../../domain/audit-actor.ts';
import type { ApiKeyId, StoreId, UserId } from '../../domain/ids.ts';
import { type ListQuery, type Page, paginate } from '../frame/pagination.ts';

/** Which lines of a store are read. */
export interface LineFilter {
  readonly actorKind?: ActorKind;
  readonly userId?: UserId;
  readonly keyId?: ApiKeyId;
  readonly action?: string;
}

/** A page of the store's lines, newest first, from both environments, with the names of who acted. */
export async function auditLinesOf(
  em: Em,
  storeId: StoreId,
  filter: LineFilter,
  query: ListQuery,
): Promise<Page<NamedLine>> {
  const page = await paginate({ em, path: '/audit', query }, AuditLineEntity, { storeId, ...filter });
  return { ...page, items: await withNames(em, page.items) };
}
