import { findCaller } from '../api/keys/caller.ts';
import { recordAction } from '../audit-log/record-action.ts';
import { ApiKeyEntity } from '../database/entities/api-key.ts';
import { type Store, StoreEntity } from '../database/entities/store.ts';
import { type Database, type Em, openDatabase } from '../database/orm.ts';
import { PERMISSIONS } from '../domain/permission.ts';
import { addMember } from '../identity/members.ts';
import { issueLink } from '../identity/one-time-links.ts';
import { userOf } from '../identity/users.ts';
import { issueKey } from './keys.ts';
import { createStore } from './stores.ts';

const DEMO_STORE = { name: 'Loja Demo', city: 'SAO PAULO' };
/** Uses a reserved domain (RFC 2606). It has no password, so only links sign in. */
const DEMO_OWNER = 'demo@recebe.example';

/** What someone needs to try the service. */
interface Demo {
  /** A dev-mode key with all permissions. */
  readonly keyText: string;
  /** The path of a sign-in link for the store's owner, valid once and for 15 minutes. */
  readonly signInPath: string;
}

/**
 * Creates the demo store with a dev-mode key and an owner if they are missing. Safe to run again.
 *
 * @param existingKey the key text of an earlier run, returned if it is still valid.
 */
export async function ensureDemoStore(databaseUrl: string, existingKey: string | undefined): Promise<Demo> {
  const database = await openDatabase(databaseUrl, 1);
  try {
    const em = database.em.fork();
    const now = new Date();
    const store = (await findDemoStore(em)) ?? (await createStore(em, DEMO_STORE, now));
    const { id: userId } = await userOf(em, DEMO_OWNER, now);
    await addMember(em, { userId, storeId: store.id, role: 'owner', createdAt: now });
    return {
      keyText: await ensureKey(database, em, store.id, existingKey, now),
      signInPath: await issueLink(em, { kind: 'SIGN_IN', userId }, now),
    };
  } finally {
    await database.close(true);
  }
}

async function ensureKey(
  database: Database,
  em: Em,
  storeId: string,
  existingKey: string | undefined,
  now: Date,
): Promise<string> {
  if (existingKey !== undefined && (await grantsEverything(database, em, existingKey, now)))
    return existingKey;
  const description = 'Demo key made by npm start';
  const given = { storeId, devMode: true, description, permissions: PERMISSIONS };
  return em.transactional(async (tx) => {
    const { key, keyText } = await issueKey(tx, given, now);
    const done = { action: 'keys/create', subjectId: key.id, devMode: true, now };
    await recordAction(tx, { kind: 'SYSTEM', storeId: key.storeId }, done);
    return keyText;
  });
}

/** The store created by `npm start`; null before its first start. */
export async function findDemoStore(em: Em): Promise<Store | null> {
  const oldest = { orderBy: { createdAt: 'asc' }, limit: 1 } as const;
  const [found = null] = await em.find(StoreEntity, { name: DEMO_STORE.name }, oldest);
  return found;
}

/**
 * Whether a key of an earlier run still works and has all permissions. A release that adds permissions adds them to that
 * key, because programs use it and permissions cannot be taken from a key.
 */
async function grantsEverything(database: Database, em: Em, keyText: string, now: Date): Promise<boolean> {
  const key = await findCaller(database, keyText);
  if (key === null || !key.devMode || key.isReadOnly) return false;
  if (key.expiresAt !== null || key.allowedNetworks !== null) return false;
  if (PERMISSIONS.every((name) => key.permissions.includes(name))) return true;
  return em.transactional(async (tx) => {
    const extended = await tx.nativeUpdate(
      ApiKeyEntity,
      { id: key.keyId, revokedAt: null },
      { permissions: [...PERMISSIONS] },
    );
    if (extended === 0) return false;
    const done = { action: 'keys/extend', subjectId: key.keyId, devMode: true, now };
    await recordAction(tx, { kind: 'SYSTEM', storeId: key.storeId }, done);
    return true;
  });
}
