import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/orm.ts';
import { counted } from '../../metrics/counters.ts';
import { taskQueuesOf } from '../../temporal/task-queues.ts';
import { VERSION } from '../../version.ts';
import { gauge } from './figures.ts';
import { readPostgresFigures } from './postgres-figures.ts';
import { readCertificateFigures, readPoolFigures } from './process-figures.ts';
import { sdkMetrics } from './sdk-metrics.ts';
import { readTaskQueueFigures } from './task-queue-figures.ts';

/** Metrics are read at most once in this time, and never in parallel, however many scrapers there are. */
const READ_EVERY_MS = 5_000;

export interface MetricsDeps {
  /** By the purpose of their connections; queries use the first one. */
  readonly databases: Readonly<Record<string, Database>>;
  readonly client: Client;
  readonly config: Config;
  /** The address of the Temporal SDK's metrics; null in a process without a worker. */
  readonly sdkAddress: string | null;
  readonly log: Logger;
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves Prometheus on `METRICS_PORT`, a separate port that must not be public, because metrics reveal
 * business volume, and `/healthz` for probes. @returns null if no port is set.
 * @throws if the port is taken.
 */
export async function startMetrics(deps: MetricsDeps): Promise<MetricsServer | null> {
  const { metricsPort, host } = deps.config;
  if (metricsPort === null) return null;
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  gauge(own, 'build_info', 'The running release.', [{ labels: { version: VERSION }, value: 1 }]);
  readCertificateFigures(own, {
    temporal_client: deps.config.temporal.tlsCert,
    temporal_authority: deps.config.temporal.tlsCa,
    notifications: deps.config.notifications?.certificate,
  });
  const figures = new Figures(deps);
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    // Says that the process is alive, and nothing else: workers listen nowhere but here.
    if (path === '/healthz') return response.writeHead(200).end();
    if (path !== '/metrics') return response.writeHead(404).end();
    Promise.all([own.metrics(), counted.metrics(), figures.read(), sdkMetrics(deps.sdkAddress)])
      .then((parts) => response.writeHead(200, { 'Content-Type': own.contentType }).end(parts.join('\n')))
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'metrics query failed');
        response.writeHead(500).end();
      });
    return response;
  });
  await listen(server, metricsPort, host);
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`;
  deps.log.info({ metricsUrl: url }, 'metrics ready');
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Reads metrics of Postgres and Temporal. If one is unreachable, its metrics are missing and the `server_up`
 * metric shows it.
 */
class Figures {
  readonly #deps: MetricsDeps;
  #text: Promise<string> | undefined;
  #freshUntilMs = 0;

  constructor(deps: MetricsDeps) {
    this.#deps = deps;
  }

  read(): Promise<string> {
    if (this.#text === undefined || performance.now() >= this.#freshUntilMs) {
      this.#freshUntilMs = Number.POSITIVE_INFINITY;
      this.#text = this.#readNow().finally(() => {
        this.#freshUntilMs = performance.now() + READ_EVERY_MS;
      });
    }
    return this.#text;
  }

  async #readNow(): Promise<string> {
    const { databases, client, config } = this.#deps;
    const [asked] = Object.values(databases);
    const queues = taskQueuesOf(config.temporal.taskQueue);
    const registry = new Registry();
    const isUp = await Promise.all([
      succeeds(asked !== undefined && readPostgresFigures(registry, asked, new Date())),
      succeeds(readTaskQueueFigures(registry, client, queues)),
      readPoolFigures(registry, databases),
    ]);
    const up = ['postgres', 'temporal'].map((server, at) => ({
      labels: { server },
      value: isUp[at] ? 1 : 0,
    }));
    gauge(registry, 'server_up', 'Whether a required server answered just now.', up);
    return registry.metrics();
  }
}

async function succeeds(work: Promise<void> | false): Promise<boolean> {
  try {
    await work;
    return work !== false;
  } catch {
    // Other parts log the outage; here it is only a metric.
    return false;
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
