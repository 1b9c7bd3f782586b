import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';

type Dialect = ReturnType<PostgreSqlConnection['createKyselyDialect']>;
type Driver = ReturnType<Dialect['createDriver']>;

/**
 * The driver of MikroORM, whose transactions give their connection back to the pool also where it is broken.
 * The query builder below it (Kysely before 0.29.9, its issue 1990) keeps a connection for ever whose BEGIN
 * or ROLLBACK has failed: after as many network failures as the pool has connections, a process would wait
 * for one until it is restarted.
 */
export class ReleasingDriver extends PostgreSqlDriver {
  protected override readonly connection = new ReleasingConnection(this.config);
}

class ReleasingConnection extends PostgreSqlConnection {
  override createKyselyDialect(
    overrides: Parameters<PostgreSqlConnection['createKyselyDialect']>[0],
  ): Dialect {
    const dialect = super.createKyselyDialect(overrides);
    const createDriver = dialect.createDriver.bind(dialect);
    dialect.createDriver = () => releasing(createDriver());
    return dialect;
  }
}

function releasing(driver: Driver): Driver {
  const begin = driver.beginTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  driver.beginTransaction = async (connection, settings) => {
    try {
      await begin(connection, settings);
    } catch (error) {
      await driver.releaseConnection(connection);
      throw error;
    }
  };
  driver.rollbackTransaction = async (connection) => {
    try {
      await rollback(connection);
    } catch {
      // It fails on a connection that is broken, with which Postgres has rolled back, and which the pool
      // throws away. Why the transaction failed is thrown by whoever asked for the rollback.
    }
  };
  return driver;
}
