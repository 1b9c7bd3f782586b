import { X509Certificate } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Database } from '../../database/orm.ts';
import { gauge } from './figures.ts';

/** What of `pg` is used here. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The connections of this process to Postgres, and who waits for one. */
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
  gauge(registry, 'database_connections', 'Connections to Postgres, and how many wait for one.', figures);
}

/** When the certificates end that this process shows. @param certificates PEM, by what they are for. */
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
  gauge(registry, 'certificate_expires_timestamp_seconds', 'When a certificate of ours ends.', figures);
}
