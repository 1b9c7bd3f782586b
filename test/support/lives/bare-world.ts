import type { ActivityDeps } from '../../../activities/deps.ts';
import { type Activities, createActivities } from '../../../activities/index.ts';
import { createStore } from '../../../src/cli/stores.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { createDispatcher } from '../../../src/outbound/guarded-dispatcher.ts';
import { MisbehavingProvider } from '../outside/misbehaving-provider.ts';
import { onlyInDevelopment } from '../outside/providers.ts';
import { createTestDatabase } from '../rows/database.ts';
import { activityDeps } from './activity-deps.ts';

/** What activities run in that are called by hand, without Temporal. */
export interface BareWorld {
  readonly database: Database;
  /** Where other processes find the database. */
  readonly url: string;
  readonly provider: MisbehavingProvider;
  readonly storeId: StoreId;
  now(): Promise<Date>;
  /** The same world with a store that owns nothing yet. */
  withNewStore(): Promise<BareWorld>;
  /** What a worker's activities work with. */
  deps(given: Partial<ActivityDeps>): ActivityDeps;
  /** The activities of a worker; one that died is replaced by a new one, which remembers nothing. */
  newWorker(given: Partial<ActivityDeps>): Activities;
  close(): Promise<void>;
}

/** Makes a world without Temporal, for activities that are called by hand. */
export async function createBareWorld(): Promise<BareWorld> {
  const { database, url, drop } = await createTestDatabase();
  const { dispatcher, close } = createDispatcher({ allowPrivateEndpoints: true });
  const provider = new MisbehavingProvider();
  const providers = onlyInDevelopment(provider);
  const store = { name: 'Loja Teste', city: 'SAO PAULO' };
  const newStore = async () => (await createStore(database.em.fork(), store, new Date())).id;
  const world: BareWorld = {
    database,
    url,
    provider,
    storeId: await newStore(),
    now: async () => new Date(),
    withNewStore: async () => ({ ...world, storeId: await newStore() }),
    deps: (given) => activityDeps({ database, providers, dispatcher, ...given }),
    newWorker: (given) => createActivities(world.deps(given)),
    async close() {
      await close();
      await drop();
    },
  };
  return world;
}
