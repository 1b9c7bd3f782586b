import { X509Certificate } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Database } from '../../database/orm.ts';
import { gauge } from './figures.ts';

/** The part of `pg` that is used here. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** This process's connections to Postgres, and the requests that wait for one. */
export async function readPoolFigures(
  registry: Registry,
  databases: Readonly<Record<string, Database>>,
): Promise<void> {
  const figures = [];
  for (const [pool, database] of Object.entries(databases)) {
    const client = await database.em.getDriver().getConnection().getNativeClient();
    const { totalCount, idleCount, waitingCount } = client as unknown as Pool;
    figures.push(
      { labels: { pool, state: 'used' }, value: totalCount - idleCount },
      { labels: { pool, state: 'idle' }, value: idleCount },
      { labels: { pool, state: 'waited_for' }, value: waitingCount },
    );
  }
  gauge(
    registry,
    'database_connections',
    'Connections to Postgres, and how many requests wait for one.',
    figures,
  );
}

/** When this process's own certificates expire. @param certificates PEM by purpose. */
export function readCertificateFigures(
  registry: Registry,
  certificates: Readonly<Record<string, Buffer | undefined>>,
): void {
  const figures = Object.entries(certificates).flatMap(([name, pem]) =>
    pem === undefined
      ? []
      : [{ labels: { certificate: name }, value: new X509Certificate(pem).validToDate.getTime() / 1_000 }],
  );
  if (figures.length === 0) return;
  gauge(
    registry,
    'certificate_expires_timestamp_seconds',
    "When one of the service's own certificates expires.",
    figures,
  );
}
