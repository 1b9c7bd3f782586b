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

/** However many ask, and however often, figures are read once in this time, and never by two at once. */
const READ_EVERY_MS = 5_000;

export interface MetricsDeps {
  /** By what their connections are for; the first one is asked. */
  readonly databases: Readonly<Record<string, Database>>;
  readonly client: Client;
  readonly config: Config;
  /** Where the Temporal SDK answers; null in a process that has no worker. */
  readonly sdkAddress: string | null;
  readonly log: Logger;
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers Prometheus on `METRICS_PORT`, a port of its own which nobody from outside reaches: how much money moves is
 * nobody else's business. @returns null where no port is set.
 * @throws where the port is taken.
 */
export async function startMetrics(deps: MetricsDeps): Promise<MetricsServer | null> {
  const { metricsPort, host } = deps.config;
  if (metricsPort === null) return null;
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  gauge(own, 'build_info', 'The release that runs.', [{ labels: { version: VERSION }, value: 1 }]);
  readCertificateFigures(own, {
    temporal_client: deps.config.temporal.tlsCert,
    temporal_authority: deps.config.temporal.tlsCa,
    notifications: deps.config.notifications?.certificate,
  });
  const figures = new Figures(deps);
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') return response.writeHead(404).end();
    Promise.all([own.metrics(), counted.metrics(), figures.read(), sdkMetrics(deps.sdkAddress)])
      .then((parts) => response.writeHead(200, { 'Content-Type': own.contentType }).end(parts.join('\n')))
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'metrics could not be read');
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

/** What is read of Postgres and Temporal. Where one is away its figures are missing, and that is said. */
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
    gauge(registry, 'server_up', 'Whether a server that everything needs answered just now.', up);
    return registry.metrics();
  }
}

async function succeeds(work: Promise<void> | false): Promise<boolean> {
  try {
    await work;
    return work !== false;
  } catch {
    // Whoever needs it says so in the log; here it is a figure.
    return false;
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
