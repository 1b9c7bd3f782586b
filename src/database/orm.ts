import { MikroORM } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import type { PostgreSqlDriver, SqlEntityManager } from '@mikro-orm/postgresql';
import { COMMIT_LISTENER } from './after-commit.ts';
import { ENTITIES } from './entities.ts';
import { MIGRATIONS } from './migrations.ts';
import { ReleasingDriver } from './releasing-driver.ts';
import type { TimeLimits } from './time-limits.ts';

/** What every request and activity forks its own EntityManager from. */
export type Database = MikroORM<PostgreSqlDriver>;
/** One unit of work: a fork of the database's manager, or that fork inside a transaction. */
export type Em = SqlEntityManager<PostgreSqlDriver>;

/**
 * Opens a pool of at most `poolSize` connections. The caller closes it with `database.close()`.
 * @param limits none for what may take as long as it needs: migrations, and the command line.
 */
export function openDatabase(url: string, poolSize: number, limits?: TimeLimits): Promise<Database> {
  return MikroORM.init<PostgreSqlDriver>({
    driver: ReleasingDriver,
    clientUrl: url,
    entities: ENTITIES,
    subscribers: [COMMIT_LISTENER],
    extensions: [Migrator],
    migrations: {
      migrationsList: MIGRATIONS,
      snapshot: false,
      silent: true,
      tableName: 'migrations',
      // Each by itself: those of large tables are no transaction (migrations/online-migration.ts).
      allOrNothing: false,
    },
    pool: { min: 0, max: poolSize },
    forceUtcTimezone: true,
    ...(limits && { driverOptions: driverOptionsOf(limits) }),
  });
}

/** The same in the words of `pg`. */
function driverOptionsOf({ connectMs, statementMs, lockMs, answerMs, idleInTransactionMs }: TimeLimits) {
  return {
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
}
