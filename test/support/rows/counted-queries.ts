import type { Database } from '../../../src/database/orm.ts';

interface Client {
  query(...given: unknown[]): unknown;
}
interface Pool {
  on(event: 'connect', listener: (client: Client) => void): void;
  readonly _clients: readonly Client[];
}

/** Counts what a database is asked from now on, on every connection. @returns how often so far. */
export async function countQueries(database: Database): Promise<() => number> {
  const pool = (await database.em.getDriver().getConnection().getNativeClient()) as unknown as Pool;
  let queries = 0;
  const listen = (client: Client) => {
    const query = client.query.bind(client);
    client.query = (...given) => {
      queries += 1;
      return query(...given);
    };
  };
  for (const client of pool._clients) listen(client);
  pool.on('connect', listen);
  return () => queries;
}
