import { type ApiKey, ApiKeyEntity } from '../database/entities/api-key.ts';
import type { AuditLine } from '../database/entities/audit-line.ts';
import { InviteeEntity } from '../database/entities/invitee.ts';
import { UserEntity } from '../database/entities/user.ts';
import type { Em } from '../database/orm.ts';
import { type ApiKeyId, ID_PREFIX, type InviteeId, type UserId } from '../domain/ids.ts';

/** A line with the names of its actor and subject. The person may have left the team since, and the key may be revoked. */
export interface NamedLine extends AuditLine {
  /** Null unless a person acted. */
  readonly email: string | null;
  /** The email address of the person the line is about; null if it is about something else. */
  readonly subjectEmail: string | null;
  /** Null unless an API key acted. */
  readonly keyDescription: string | null;
  readonly keyLastFour: string | null;
}

/** Adds names to lines, with at most three queries for all of them. */
export async function withNames(em: Em, lines: readonly AuditLine[]): Promise<NamedLine[]> {
  const invitees = await inviteesIn(em, lines);
  const personIn = (subjectId: string | null) =>
    isUserId(subjectId) ? subjectId : (invitees.get(subjectId) ?? null);
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

/** What names someone who acted: the key, or the person's address. Both are null if the id names nobody. */
export async function nameOfActor(
  em: Em,
  id: ApiKeyId | UserId,
): Promise<{ readonly key: Pick<ApiKey, 'description' | 'lastFour'> | null; readonly email: string | null }> {
  const key = await em.findOne(ApiKeyEntity, { id: id as ApiKeyId }, { disableIdentityMap: true });
  if (key !== null) return { key, email: null };
  const user = await em.findOne(UserEntity, { id: id as UserId }, { disableIdentityMap: true });
  return { key: null, email: user?.email ?? null };
}

/** The accounts of invited people whom lines are about. */
async function inviteesIn(em: Em, lines: readonly AuditLine[]): Promise<ReadonlyMap<string | null, UserId>> {
  const ids = [...new Set(lines.map(({ subjectId }) => subjectId).filter(isInviteeId))];
  const invitees = ids.length === 0 ? [] : await em.find(InviteeEntity, { id: { $in: ids } });
  return new Map(invitees.map(({ id, userId }) => [id, userId]));
}

function isUserId(id: string | null): id is UserId {
  return id?.startsWith(ID_PREFIX.user) === true;
}

function isInviteeId(id: string | null): id is InviteeId {
  return id?.startsWith(ID_PREFIX.invitee) === true;
}
