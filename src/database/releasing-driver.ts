import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { type AskedStatement, askedStatement } from '../request-cost.ts';

type Dialect = ReturnType<PostgreSqlConnection['createKyselyDialect']>;
type Driver = ReturnType<Dialect['createDriver']>;

/**
 * MikroORM's driver, fixed to release broken connections.
 *
 * Its query builder (Kysely before 0.29.9, its issue 1990) keeps a connection for ever if its BEGIN or ROLLBACK has
 * failed: after as many network failures as the pool has connections, the process would wait until it is restarted.
 * The client below it (`pg`) keeps a connection whose statement timed out, and the next statement would wait behind
 * it.
 */
export class ReleasingDriver extends PostgreSqlDriver {
  protected override readonly connection = new ReleasingConnection(this.config);
}

class ReleasingConnection extends PostgreSqlConnection {
  override createKyselyDialect(
    overrides: Parameters<PostgreSqlConnection['createKyselyDialect']>[0],
  ): Dialect {
    const onPoolCreated = (pool: Pool) => void pool.on('connect', watchAnswers);
    const dialect = super.createKyselyDialect({ ...overrides, onPoolCreated } as typeof overrides);
    const createDriver = dialect.createDriver.bind(dialect);
    dialect.createDriver = () => releasing(createDriver());
    return dialect;
  }
}

/** For whom a statement is carried out that the pool itself gives to a connection, perhaps when another request releases it. */
export interface Asked {
  readonly asked: AskedStatement | null;
}

/** What of `pg` is used here. */
interface Pool {
  on(event: 'connect', listener: (client: PoolClient) => void): void;
}
interface PoolClient {
  query(...query: unknown[]): unknown;
  readonly connection: {
    readonly stream: { destroy(): void };
    on(event: 'dataRow', listener: () => void): void;
  };
}

/**
 * Closes the connection if one of its statements is not answered in time: the answer may never come. Notes for whom rows are read, and
 * where a request continues.
 */
function watchAnswers(client: PoolClient): void {
  const query = client.query.bind(client);
  // A connection carries out one statement at a time.
  let asked: AskedStatement | null = null;
  client.connection.on('dataRow', () => asked?.resume());
  client.query = (...sent) => {
    asked = (sent[0] as Partial<Asked> | undefined)?.asked ?? null;
    asked?.sent();
    const answer = query(...sent);
    if (answer instanceof Promise) {
      const statement = askedStatement();
      statement?.sent();
      asked = statement;
      if (statement !== null) answer.then(statement.answered, statement.answered);
      answer.catch((error: Error) => isLate(error) && client.connection.stream.destroy());
    }
    return answer;
  };
}

function isLate({ message }: Error): boolean {
  return message.endsWith('Query read timeout');
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
      // A rollback fails on a broken connection. Postgres has then rolled back, and the pool drops the connection.
      // The caller of the rollback throws the transaction's own error.
    }
  };
  return driver;
}
