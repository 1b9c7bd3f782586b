import { type Session, SessionEntity } from '../database/entities/session.ts';
import {
  clockOf,
  type EnvironmentRow,
  environmentColumns,
  environmentJoin,
} from '../database/environment.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { SessionId, StoreId, UserId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';
import type { StoreClock } from '../domain/store-clock.ts';
import { mintId } from '../ids.ts';
import type { DeviceOwner } from './device.ts';
import { newToken, tokenHashOf } from './token.ts';

const HOUR_MS = 60 * 60 * 1_000;
/** An idle browser must sign in again after this time. */
const IDLE_MS = 12 * HOUR_MS;
/** Every session ends after this time. */
const LASTS_MS = 14 * 24 * HOUR_MS;
/** A session waits this long for the code of the second factor. */
const CODE_MS = HOUR_MS / 6;
/** `lastSeenAt` is written at most this often. */
const SEEN_EVERY_MS = 5 * 60 * 1_000;

/** Where a session was started. */
export interface Browser {
  readonly address: string;
  readonly userAgent: string;
}

/** Starts a session. Its token is always new, so a token planted in the browser before is worthless. */
export async function beginSession(
  em: Em,
  given: Browser & { readonly userId: UserId; readonly awaitsCode: boolean; readonly now: Date },
): Promise<{ readonly tokenText: string; readonly session: Session }> {
  const { userId, awaitsCode, now, address, userAgent } = given;
  const token = newToken();
  const session: Session = {
    id: mintId<SessionId>('session', now),
    tokenHash: token.hash,
    userId,
    awaitsCode,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + (awaitsCode ? CODE_MS : LASTS_MS)),
    address,
    userAgent: userAgent.slice(0, 300),
  };
  await em.insert(SessionEntity, session);
  // Delete sessions that expired long ago.
  await em.nativeDelete(SessionEntity, { userId, expiresAt: { $lt: now } });
  return { tokenText: token.text, session };
}

/** The signed-in person. */
export interface SignedIn extends Pick<EnvironmentRow, 'announcesSales'>, Omit<DeviceOwner, 'id'> {
  /** The clock of the requested environment; null if it was never moved. */
  readonly clock: StoreClock | null;
  readonly sessionId: SessionId;
  readonly awaitsCode: boolean;
  readonly lastSeenAt: Date;
  readonly userId: UserId;
  readonly email: string;
  readonly userName: string;
  readonly hasSecondFactor: boolean;
  /** Their role in the requested store; null if they are not a member, or the store does not exist. */
  readonly role: Role | null;
  readonly storeName: string | null;
  readonly storeCity: string | null;
  readonly storeTaxId: string | null;
  /** Whether the store requires a second factor from every member. */
  readonly requiresSecondFactor: boolean;
}

type SignedInRow = Omit<SignedIn, 'clock'> & EnvironmentRow;

/** Runs before every page of the dashboard. */
const FIND_SESSION = statement<
  { hash: string; storeId: string; devMode: boolean; now: Date; idleSince: Date },
  SignedInRow
>(
  'find a session',
  () => `
  select session.id as "sessionId", session.awaits_code as "awaitsCode", session.last_seen_at as "lastSeenAt",
    u.id as "userId", u.email, u.name as "userName", u.totp_confirmed_at is not null as "hasSecondFactor",
    u.password_hash as "passwordHash", u.second_factor_changed_at as "secondFactorChangedAt",
    membership.role, store.name as "storeName", store.city as "storeCity", store.tax_id as "storeTaxId",
    coalesce(store.requires_second_factor, false) as "requiresSecondFactor",
    ${environmentColumns('store.id', ':devMode')}
  from sessions session
    join users u on u.id = session.user_id
    left join memberships membership on membership.user_id = u.id and membership.store_id = :storeId
    left join stores store on store.id = membership.store_id
    ${environmentJoin('store.id', ':devMode::boolean')}
  where session.token_hash = :hash and session.expires_at > :now and session.last_seen_at > :idleSince`,
);

/**
 * The owner of a session's token, read from the database on each request so that an ended session stops working at once.
 * @param place the requested store and environment; an empty store if none is requested.
 * @param isLookedAt false for requests that a page makes by itself: they do not keep an idle session alive.
 */
export async function findSession(
  database: Database,
  tokenText: string | undefined,
  place: { readonly storeId: StoreId | ''; readonly devMode: boolean },
  now: Date,
  isLookedAt = true,
): Promise<SignedIn | null> {
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash === null) return null;
  const idleSince = new Date(now.getTime() - IDLE_MS);
  const [found] = await FIND_SESSION(database, { hash: tokenHash, ...place, now, idleSince });
  if (found === undefined) return null;
  if (isLookedAt && now.getTime() - found.lastSeenAt.getTime() > SEEN_EVERY_MS)
    await SEE(database, { id: found.sessionId, now });
  return { ...found, clock: clockOf(found) };
}

const SEE = statement<{ id: SessionId; now: Date }>(
  'see a session',
  () => 'update sessions set last_seen_at = greatest(last_seen_at, :now) where id = :id',
);

const FIND_LIVING = statement<
  { sessions: readonly string[]; stores: readonly string[]; now: Date; idleSince: Date },
  { sessionId: SessionId; storeId: StoreId }
>(
  'find which sessions have not ended',
  () => `
  select session.id as "sessionId", membership.store_id as "storeId"
  from unnest(:sessions::text[], :stores::text[]) as wanted (session_id, store_id)
    join sessions session on session.id = wanted.session_id
    join memberships membership on membership.user_id = session.user_id and membership.store_id = wanted.store_id
    join stores store on store.id = membership.store_id
    join users u on u.id = session.user_id
  where (u.totp_confirmed_at is not null or not store.requires_second_factor) and not session.awaits_code and session.expires_at > :now and session.last_seen_at > :idleSince`,
);

/** A session and the store it has open, as one text. */
export function sessionAtStore(sessionId: SessionId, storeId: StoreId): string {
  return `${sessionId} ${storeId}`;
}

/** Which of these sessions have not ended and belong to a current member of the store. @param ids of {@link sessionAtStore}. */
export async function activeSessions(
  database: Database,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const parts = ids.map((id) => id.split(' '));
  const rows = await FIND_LIVING(database, {
    sessions: parts.map(([sessionId = '']) => sessionId),
    stores: parts.map(([, storeId = '']) => storeId),
    now,
    idleSince: new Date(now.getTime() - IDLE_MS),
  });
  return new Set(rows.map(({ sessionId, storeId }) => sessionAtStore(sessionId, storeId)));
}

/**
 * Gives a session another token, in the transaction that changes what its owner signs in with. Copies of the old token end, also
 * their live pages. @returns the new token; null if the session has ended meanwhile.
 */
export async function renewSession(em: Em, id: SessionId, now: Date): Promise<string | null> {
  const token = newToken();
  const renewed = { id: mintId<SessionId>('session', now), tokenHash: token.hash };
  return (await em.nativeUpdate(SessionEntity, { id }, renewed)) === 0 ? null : token.text;
}

/**
 * Locks a session in the transaction of an action of its owner, before anything else. The session cannot end until the commit.
 * Otherwise a request that gave the old password could still act after the new one is set.
 * @returns false if it has ended, or has another token now.
 */
export async function holdSession(em: Em, id: SessionId): Promise<boolean> {
  return (
    (await em.execute<unknown[]>('select 1 from sessions where id = :id for key share', { id })).length > 0
  );
}

/**
 * Locks all sessions of a person in a transaction that will end them, and waits for their actions. Lock order: sessions, a
 * store's memberships, persons.
 */
export async function lockSessions(em: Em, userId: UserId): Promise<void> {
  await em.execute('select 1 from sessions where user_id = :userId order by id for update', { userId });
}

/** Ends the session of a token. */
export async function endSessionOf(em: Em, tokenText: string | undefined): Promise<void> {
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash !== null) await em.nativeDelete(SessionEntity, { tokenHash });
}

/**
 * Ends a session that waits for its code, in the transaction that accepts the code. @returns whether it had not ended before.
 */
export async function endAwaiting(em: Em, id: SessionId): Promise<boolean> {
  return (await em.nativeDelete(SessionEntity, { id, awaitsCode: true })) > 0;
}

/** Ends one session of a person. @returns whether it existed. */
export async function endSession(em: Em, userId: UserId, id: SessionId): Promise<boolean> {
  return (await em.nativeDelete(SessionEntity, { id, userId })) > 0;
}

/** Ends all sessions of a person except the named one. */
export async function endOtherSessions(em: Em, userId: UserId, kept: SessionId | null): Promise<void> {
  await em.nativeDelete(SessionEntity, { userId, ...(kept !== null && { id: { $ne: kept } }) });
}

/** A person's sessions, the most recently seen browser first. */
export function sessionsOf(em: Em, userId: UserId, now: Date): Promise<Session[]> {
  const active = {
    userId,
    awaitsCode: false,
    expiresAt: { $gt: now },
    lastSeenAt: { $gt: new Date(now.getTime() - IDLE_MS) },
  };
  return em.find(SessionEntity, active, { orderBy: { lastSeenAt: 'desc' }, disableIdentityMap: true });
}

/** Whether a session began after an instant. */
export async function beganAfter(em: Em, id: SessionId, since: Date): Promise<boolean> {
  return (await em.count(SessionEntity, { id, createdAt: { $gt: since } })) > 0;
}
