import type { Client } from '@temporalio/client';
import { notificationsUrlIn, platformFeesIn } from '../config.ts';
import { type Database, type Em, openDatabase } from '../database/orm.ts';
import type { PlatformFees } from '../domain/platform-fee.ts';
import { createLogger } from '../log.ts';
import type { Providers } from '../providers/providers.ts';
import type { ClosedRun } from '../recovery/closed-runs.ts';
import type { ResumeDeps } from '../recovery/resume.ts';
import { SecretsKeys } from '../secrets/secrets-keys.ts';
import type { CliHost, Output } from './host.ts';
import { databaseUrlOf, publicUrlOf, secretsKeysOf, serversOf } from './instance.ts';
import { type CliAction, operatorOf, recordCliActions } from './operator.ts';
import { loadNumbers } from './personal-numbers.ts';

/** For workflow starts in parallel, each of which reads its row. */
const POOL_SIZE = 4;

/** What commands need to do their work. */
export interface CliContext {
  readonly print: CliHost['print'];
  readonly output: Output;
  /** The public URL of the service without a trailing slash; empty if unknown. */
  publicUrl(): string;
  /** The same for banks and other senders of notifications. */
  notificationsUrl(): string;
  /** Whether the workers of this configuration send mail. */
  sendsMail(): boolean;
  /** The keys for webhook secrets. @throws if the configured values are not keys. */
  secretsKeys(): SecretsKeys;
  /** The platform's fees on payments. */
  platformFees(): PlatformFees;
  /** Runs `work` with the configured database, then closes the connection. */
  withDatabase<Result>(work: (em: Em) => Promise<Result>): Promise<Result>;
  /** Runs `work` with the configured database and the accounts of its stores, then closes the connections. */
  withProviders<Result>(work: (service: ProviderService) => Promise<Result>): Promise<Result>;
  /** Runs `work` with the configured database and Temporal server, then closes both. */
  withWorkflows<Result>(work: (service: WorkflowService) => Promise<Result>): Promise<Result>;
  /** Who runs the command, for the audit log. @throws UsageError if `RECEBE_OPERATOR` is not a valid name. */
  operator(): string;
  /**
   * Runs `work` in a database transaction that also records each action in the audit log.
   * @param actionsOf what `work` did; empty if it changed nothing.
   */
  audited<Result>(
    work: (em: Em, now: Date) => Promise<Result>,
    actionsOf: ActionsOf<Result>,
  ): Promise<Result>;
  /** Runs `work` with the configured Temporal server and worker deployment, then disconnects. */
  withTemporal<Result>(work: (client: Client, deployment: string) => Promise<Result>): Promise<Result>;
}

/** @param em of the transaction. @param now the time that `work` received. */
export type ActionsOf<Result> = (
  result: Result,
  em: Em,
  now: Date,
) => readonly CliAction[] | Promise<readonly CliAction[]>;

/** The database, and where its stores charge. */
export interface ProviderService {
  readonly database: Database;
  readonly providers: Providers;
}

/** Resumes workflows from outside. */
export interface WorkflowService extends ResumeDeps {
  /** Runs since then that did not end by their own code. */
  readonly closedRuns: (since: Date) => AsyncIterable<ClosedRun>;
}

export function contextOf({ env, print }: CliHost, output: Output): CliContext {
  const withDatabase: CliContext['withDatabase'] = async (work) => {
    const database = await openDatabase(databaseUrlOf(env), 1);
    try {
      await loadNumbers(database, env);
      return await work(database.em.fork());
    } finally {
      await database.close(true);
    }
  };
  return {
    print,
    output,
    publicUrl: () => publicUrlOf(env) ?? '',
    sendsMail: () => Boolean(env.SMTP_URL && env.SMTP_FROM),
    notificationsUrl: () => notificationsUrlIn(env, publicUrlOf(env)) ?? '',
    secretsKeys: () => new SecretsKeys(secretsKeysOf(env)),
    platformFees: () => platformFeesIn(env),
    withDatabase,
    operator: () => operatorOf(env),
    audited(work, actionsOf) {
      const operator = operatorOf(env);
      const now = new Date();
      return withDatabase((em) =>
        em.transactional(async (tx) => {
          const result = await work(tx, now);
          await recordCliActions(tx, operator, await actionsOf(result, tx, now), now);
          return result;
        }),
      );
    },
    async withProviders(work) {
      const database = await openDatabase(databaseUrlOf(env), POOL_SIZE);
      try {
        await loadNumbers(database, env);
        // Imported here so that commands on keys and stores do not load it.
        const { storeProviders } = await import('../run/store-providers.ts');
        const secretsKeys = new SecretsKeys(secretsKeysOf(env));
        return await work({
          database,
          providers: storeProviders(database, secretsKeys, createLogger('silent')),
        });
      } finally {
        await database.close(true);
      }
    },
    async withWorkflows(work) {
      const { databaseUrl, temporal } = serversOf(env);
      // Imported here so that commands on keys and stores do not load them.
      const [{ createParts }, { lazyTemporalClient }, { closedRuns }, { taskQueuesOf }] = await Promise.all([
        import('../run/parts.ts'),
        import('../temporal/client.ts'),
        import('../recovery/closed-runs.ts'),
        import('../temporal/task-queues.ts'),
      ]);
      const database = await openDatabase(databaseUrl, POOL_SIZE);
      await loadNumbers(database, env);
      const client = lazyTemporalClient(temporal);
      const taskQueue = taskQueuesOf(temporal.taskQueue);
      const parts = createParts(
        database,
        client,
        taskQueue,
        new SecretsKeys(secretsKeysOf(env)),
        createLogger('silent'),
      );
      try {
        const runs = (since: Date) => closedRuns(client, taskQueue, since);
        return await work({ ...parts, taskQueue, closedRuns: runs });
      } finally {
        await parts.starter.close();
        await client.connection.close();
        await database.close(true);
      }
    },
    async withTemporal(work) {
      const { temporal } = serversOf(env);
      const { lazyTemporalClient } = await import('../temporal/client.ts');
      const client = lazyTemporalClient(temporal);
      try {
        return await work(client, temporal.taskQueue);
      } finally {
        await client.connection.close();
      }
    },
  };
}
