import { paginate } from '../../../api/frame/pagination.ts';
import { ApiKeyEntity } from '../../../database/entities/api-key.ts';
import { type AuditLine, AuditLineEntity } from '../../../database/entities/audit-line.ts';
import { UserEntity } from '../../../database/entities/user.ts';
import { ACTOR_KINDS, type ActorKind } from '../../../domain/audit-actor.ts';
import { type ApiKeyId, ID_PREFIX, type UserId } from '../../../domain/ids.ts';
import type { Visit } from '../frame/visit.ts';

/** A line with the display name of its actor. The person may have left the team since, and the key may be revoked. */
export interface ShownLine extends AuditLine {
  /** Null unless a person acted. */
  readonly email: string | null;
  /** The email address of the person the line is about; null if it is about something else. */
  readonly subjectEmail: string | null;
  /** Null unless an API key acted. */
  readonly keyDescription: string | null;
  readonly keyLastFour: string | null;
}

/** The store's lines that match the page's filters, newest first, from both environments. */
export async function auditLines(visit: Visit, limit: number) {
  const { user, key, actor, action, after, before } = Object.fromEntries(visit.query);
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
  return { pagination, items: await withActors(visit, items) };
}

function isActorKind(text: string | undefined): text is ActorKind {
  return (ACTOR_KINDS as readonly (string | undefined)[]).includes(text);
}

async function withActors({ em }: Visit, lines: readonly AuditLine[]): Promise<ShownLine[]> {
  const people = lines.flatMap(({ userId, subjectId }) => [userId, personIn(subjectId)]);
  const userIds = [...new Set(people.filter((id) => id !== null))];
  const keyIds = [...new Set(lines.flatMap(({ keyId }) => keyId ?? []))];
  const users = await em.find(UserEntity, { id: { $in: userIds } }, { fields: ['id', 'email'] });
  const keys = await em.find(
    ApiKeyEntity,
    { id: { $in: keyIds } },
    { fields: ['id', 'description', 'lastFour'] },
  );
  const emailOf = new Map(users.map(({ id, email }) => [id, email]));
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  return lines.map((line) => {
    const key = line.keyId === null ? undefined : keyOf.get(line.keyId);
    const subject = personIn(line.subjectId);
    return {
      ...line,
      email: line.userId === null ? null : (emailOf.get(line.userId) ?? ''),
      subjectEmail: subject === null ? null : (emailOf.get(subject) ?? null),
      keyDescription: key?.description ?? null,
      keyLastFour: key?.lastFour ?? null,
    };
  });
}

/** The id, if it is a person's. */
function personIn(subjectId: string | null): UserId | null {
  return subjectId?.startsWith(ID_PREFIX.user) ? (subjectId as UserId) : null;
}
