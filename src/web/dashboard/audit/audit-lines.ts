import { auditLinesOf } from '../../../api/audit-log/queries.ts';
import type { NamedLine } from '../../../audit-log/actor-names.ts';
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
  const filter = {
    ...(isActorKind(actor) && { actorKind: actor }),
    ...(user && { userId: user as UserId }),
    ...(key && { keyId: key as ApiKeyId }),
    ...(action && { action }),
  };
  const query = { limit, ...(after && { after }), ...(before && { before }) };
  return auditLinesOf(visit.em, visit.store.id, filter, query);
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
