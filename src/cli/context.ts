import { databaseUrlOf } from '../config.ts';
import { type Em, openDatabase } from '../database/orm.ts';

/** The outside of one run of the command line. */
export interface CliHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/** What commands do their work with. */
export interface CliContext {
  readonly print: CliHost['print'];
  /** Runs `work` on the configured database and closes it. */
  withDatabase<Result>(work: (em: Em) => Promise<Result>): Promise<Result>;
}

export function contextOf({ env, print }: CliHost): CliContext {
  return {
    print,
    async withDatabase(work) {
      const database = await openDatabase(databaseUrlOf(env), 1);
      try {
        return await work(database.em.fork());
      } finally {
        await database.close(true);
      }
    },
  };
}
