import { findCaller } from '../api/frame/caller.ts';
import { StoreEntity } from '../database/entities/store.ts';
import { type Database, openDatabase } from '../database/orm.ts';
import { PERMISSIONS } from '../domain/permission.ts';
import { issueKey } from './keys.ts';
import { createStore } from './stores.ts';

const DEMO_STORE = { name: 'Loja Demo', city: 'SAO PAULO' };

/**
 * Makes sure that there is a demo store and a dev-mode key to it that holds every permission. Safe to run
 * again.
 *
 * @param existingKey the key text of an earlier run, returned as it is while it still serves.
 */
export async function ensureDemoStore(databaseUrl: string, existingKey: string | undefined): Promise<string> {
  const database = await openDatabase(databaseUrl, 1);
  try {
    if (existingKey !== undefined && (await holdsEverything(database, existingKey))) return existingKey;
    const em = database.em.fork();
    const now = new Date();
    const [found] = await em.find(
      StoreEntity,
      { name: DEMO_STORE.name },
      { orderBy: { createdAt: 'asc' }, limit: 1 },
    );
    const store = found ?? (await createStore(em, DEMO_STORE, now));
    const description = 'Demo key made by npm start';
    const { keyText } = await issueKey(
      em,
      { storeId: store.id, devMode: true, description, permissions: PERMISSIONS },
      now,
    );
    return keyText;
  } finally {
    await database.close(true);
  }
}

async function holdsEverything(database: Database, existingKey: string): Promise<boolean> {
  const caller = await findCaller(database, existingKey);
  return caller?.devMode === true && PERMISSIONS.every((name) => caller.permissions.includes(name));
}
