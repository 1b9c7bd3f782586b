import { paginate } from '../../../api/frame/pagination.ts';
import { type NamedLine, withNames } from '../../../audit-log/actor-names.ts';
import { AuditLineEntity } from '../../../database/entities/audit-line.ts';
import { ACTOR_KINDS, type ActorKind } from '../../../domain/audit-actor.ts';
import type { ApiKeyId, UserId } from '../../../domain/ids.ts';
import type { Visit } from '../frame/visit.ts';

/** A page of the store's lines that match the page's filters, newest first, from both environments. */
export async function auditLines(
  visit: Visit,
  {
    limit,
    after,
    before,
  }: { readonly limit: number } & Partial<Readonly<Record<'after' | 'before', string>>>,
) {
  const { user, key, actor, action } = Object.fromEntries(visit.query);
  const where = {
    storeId: visit.store.id,
    ...(isActorKind(actor) && { actorKind: actor }),
    ...(user && { userId: user as UserId }),
    ...(key && { keyId: key as ApiKeyId }),
    ...(action && { action }),
  };
  const query = { limit, ...(after && { after }), ...(before && { before }) };
  const { items, pagination } = await paginate(
    { em: visit.em, path: '/audit', query },
    AuditLineEntity,
    where,
  );
  const named: readonly NamedLine[] = await withNames(visit.em, items);
  return { pagination, items: named };
}

/** All lines that match the filters, page by page: memory holds one page. */
export async function* allAuditLines(visit: Visit, limit: number): AsyncGenerator<readonly NamedLine[]> {
  let after: string | null = null;
  do {
    const { items, pagination } = await auditLines(visit, { limit, ...(after !== null && { after }) });
    yield items;
    after = pagination.next;
  } while (after !== null);
}

function isActorKind(text: string | undefined): text is ActorKind {
  return (ACTOR_KINDS as readonly (string | undefined)[]).includes(text);
}
