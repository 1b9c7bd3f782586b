import type { Database } from '../../../src/database/orm.ts';

/** Statements as they were sent, which can be explained afterwards. */
export interface AskedStatements {
  forget(): void;
  /** Runs them again. @returns how Postgres did it, and how many of its pages it looked at. */
  explain(): Promise<{ plans: string; pages: number }>;
}

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}
interface Client {
  query(...given: unknown[]): unknown;
}
interface Explained {
  readonly rows: readonly Record<string, string>[];
}
interface Pool {
  on(event: 'connect', listener: (client: Client) => void): void;
  connect(): Promise<Client & { release(): void }>;
  readonly _clients: readonly Client[];
}

/** Records the statements from now on. */
export async function recordStatements(database: Database): Promise<AskedStatements> {
  const pool = (await database.em.getDriver().getConnection().getNativeClient()) as unknown as Pool;
  let sent: Sent[] = [];
  let isExplaining = false;
  const listen = (client: Client) => {
    const query = client.query.bind(client);
    client.query = (...given) => {
      const read = sentBy(given);
      if (!isExplaining && read !== null) sent.push(read);
      return query(...given);
    };
  };
  for (const client of pool._clients) listen(client);
  pool.on('connect', listen);
  return {
    forget: () => {
      sent = [];
    },
    explain: async () => {
      isExplaining = true;
      const client = await pool.connect();
      try {
        // Plans as for tables so large that a full scan is never worth it.
        await client.query('begin; set local enable_seqscan = off');
        const plans: string[] = [];
        for (const { text, values } of sent) {
          const explained = `explain (analyze, buffers, costs off, timing off) ${text}`;
          const { rows } = (await client.query(explained, values)) as Explained;
          plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        }
        return { plans: plans.join('\n'), pages: plans.reduce((sum, plan) => sum + pagesOf(plan), 0) };
      } finally {
        await client.query('rollback');
        client.release();
        isExplaining = false;
      }
    },
  };
}

/** To lock rows is to read them. */
const WRITES = /\b(?<!for |for no key )(update|insert|delete)\b/i;

function sentBy([first, second]: readonly unknown[]): Sent | null {
  const { text, values = second } =
    typeof first === 'string' ? { text: first } : (first as { text?: string; values?: readonly unknown[] });
  if (text === undefined || !/^\s*(select|with)\b/i.test(text) || WRITES.test(text)) return null;
  return { text, values: Array.isArray(values) ? values : [] };
}

/** The top line includes the counts of the lines below it. */
function pagesOf(plan: string): number {
  const [line = ''] = plan.match(/Buffers: shared.*/) ?? [];
  return [...line.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}
