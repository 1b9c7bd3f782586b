import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import { runCli } from '../../src/cli/run.ts';
import { openDatabase } from '../../src/database/orm.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { metricsOf } from '../support/outside/metrics.ts';
import { seriesIn } from '../support/outside/promql.ts';
import {
  type ReceivedSpan,
  startTraceReceiver,
  type TraceReceiver,
} from '../support/outside/trace-receiver.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import type { ServiceProcess } from '../support/servers/processes.ts';
import { eventually } from '../support/waiting/eventually.ts';

const PIX = '{method="PIX",environment="dev"}';

const AUTHORITY = fileURLToPath(new URL('../support/servers/tls/test-only-ca.pem', import.meta.url));

let deployment: Deployment;
let sink: WebhookSink;
let traces: TraceReceiver;
let api: ApiClient;
let processes: Record<'api' | 'worker', ServiceProcess>;

beforeAll(async () => {
  [deployment, sink, traces] = await Promise.all([
    createDeployment(),
    startWebhookSink(),
    startTraceReceiver(),
  ]);
  // The certificate of an authority says when it ends; where TLS is off it is not used.
  const env = {
    TEMPORAL_TLS_CA: AUTHORITY,
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  };
  const [started, worker] = await Promise.all([deployment.startApi(env), deployment.startWorker(env)]);
  api = started.api;
  processes = { api: started.process, worker };
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
  await traces[Symbol.asyncDispose]();
});

it('counts charges in the API, and payments, refunds and webhooks in the worker', async () => {
  const [taken, refusing] = [sink.endpoint(), sink.endpoint(() => 500)];
  for (const { url } of [taken, refusing]) await buildWebhook(api, { endpoint: url });
  const { id } = await buildPixCharge(api, { amount: 2_500 });
  await api.post(`/transparents/simulate-payment?id=${id}`);
  await api.post('/transparents/refund', { id });
  await eventually(async () => {
    const [created, done] = await Promise.all([metricsOf(processes.api), metricsOf(processes.worker)]);
    expect(created.get(`recebe_charges_created_total${PIX}`)).toBe(1);
    expect(created.get(`recebe_charges_created_cents_total${PIX}`)).toBe(2_500);
    for (const name of ['payments', 'refunds']) {
      expect(done.get(`recebe_${name}_total${PIX}`)).toBe(1);
      expect(done.get(`recebe_${name}_cents_total${PIX}`)).toBe(2_500);
    }
    expect(done.get('recebe_webhook_deliveries_total{status="DELIVERED"}')).toBe(1);
    for (const outcome of ['delivered', 'failed'])
      expect(done.get(`recebe_webhook_attempt_duration_seconds_count{outcome="${outcome}"}`)).toBe(1);
  });
});

it('counts declined cards by reason and requests by route, never by id', async () => {
  const { id } = await buildCheckout(api, { methods: ['CARD'] });
  await api.post('/v2/checkouts/simulate-payment', {
    id,
    method: 'CARD',
    card: { number: '4000000000000002' },
  });
  await api.get('/v2/transparents/check?id=pix_char_none');
  await api.get('/there/is/nothing');
  const [served, done] = await Promise.all([metricsOf(processes.api), metricsOf(processes.worker)]);
  const failed = 'recebe_charges_failed_total{method="CARD",environment="dev",reason="card_declined"}';
  expect(done.get(failed)).toBe(1);
  const requests = 'recebe_http_request_duration_seconds_count';
  expect(served.get(`${requests}{method="GET",route="/transparents/check",status="404"}`)).toBe(1);
  expect(served.get(`${requests}{method="any",route="none",status="404"}`)).toBe(1);
  const names = [...served.keys(), ...done.keys()].join('\n');
  expect(names).not.toContain(id);
  expect(names).not.toContain(deployment.storeId);
});

it('logs declined cards, failed webhooks and refused requests as warnings with ids', async () => {
  const warnings = () =>
    Object.values(processes)
      .flatMap((process) => process.output().split('\n'))
      .filter((line) => line.startsWith('{"level":40'))
      .map((line) => JSON.parse(line));
  const ids = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_`));
  await eventually(() =>
    expect(warnings()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          msg: 'card declined',
          chargeId: ids('card'),
          checkoutId: ids('bill'),
          reason: 'card_declined',
        }),
        expect.objectContaining({
          msg: 'webhook delivery failed',
          deliveryId: ids('log'),
          webhookId: ids('webh'),
          reason: 'HTTP 500',
        }),
        expect.objectContaining({
          msg: 'request',
          route: '/transparents/check',
          code: 'NOT_FOUND',
          storeId: deployment.storeId,
        }),
      ]),
    ),
  );
});

it('lists a declined card as Failed, but not among workflows that ended abnormally', async () => {
  const { temporal, env } = deployment;
  const listed = async (filter: string) => {
    const query = `TaskQueue = "${env.TEMPORAL_TASK_QUEUE}-dev" AND (${filter})`;
    const types = await Array.fromAsync(temporal.workflow.list({ query }), ({ type }) => type);
    return types;
  };
  await eventually(async () => expect(await listed('ExecutionStatus = "Failed"')).toEqual(['charge']));
  const asItShouldNot =
    'ExecutionStatus IN ("Terminated", "TimedOut") OR (ExecutionStatus = "Failed" AND (`Status` IS NULL OR `Status` != "FAILED"))';
  expect(await listed(asItShouldNot)).toEqual([]);
  expect(processes.worker.output()).not.toContain('Workflow failed');
});

it('answers probes at the port for metrics, in the worker too', async () => {
  for (const process of Object.values(processes)) {
    await metricsOf(process);
    const [, url = ''] = /"metricsUrl":"([^"]+)"/.exec(process.output()) ?? [];
    expect((await fetch(new URL('/healthz', url))).status).toBe(200);
    expect((await fetch(new URL('/', url))).status).toBe(404);
  }
});

it('exports queues, pools, overdue rows and attention items from every process', async () => {
  for (const process of Object.values(processes)) {
    const samples = await metricsOf(process);
    expect(samples.get('recebe_server_up{server="postgres"}')).toBe(1);
    expect(samples.get('recebe_server_up{server="temporal"}')).toBe(1);
    expect(samples.get('recebe_unstarted_oldest_seconds{table="charges"}')).toBe(0);
    expect(samples.get('recebe_overdue_rows{kind="charge"}')).toBe(0);
    expect(samples.get('recebe_attention_open{kind="LEDGER_DRIFT"}')).toBe(0);
    expect(samples.get('recebe_webhook_endpoints{state="paused"}')).toBe(0);
    expect(samples.get('recebe_task_queue_backlog{queue="payments",tasks="workflow"}')).toBe(0);
    expect(samples.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  }
  const samples = await metricsOf(processes.worker);
  expect(samples.get('recebe_database_connections{pool="worker",state="idle"}')).toEqual(expect.any(Number));
  const ofSdk = [...samples.keys()].filter((name) => name.startsWith('temporal_'));
  expect(ofSdk.join('\n')).toMatch(/^temporal_workflow_task_schedule_to_start_latency_seconds_bucket/m);
});

it('traces a payment from its request through workflows to the POST at its receiver', async () => {
  const endpoint = sink.endpoint();
  await buildWebhook(api, { endpoint: endpoint.url });
  const { id } = await buildPixCharge(api);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  await api.post(`/transparents/simulate-payment?id=${id}`, {}, { headers });
  await endpoint.waitFor((received) => received.length === 1);
  const [, sentTraceId, posted] = String(endpoint.received[0]?.headers.traceparent).split('-');
  expect(sentTraceId).toBe(traceId);

  // From the receiver back to the caller, step by step.
  const wayTo = (spanId: string | undefined): string[] => {
    const span = traces.spans.find((each) => each.traceId === traceId && each.spanId === spanId);
    return span === undefined ? [] : [...wayTo(span.parentSpanId), span.name.replace('Fast', '')];
  };
  await eventually(() =>
    expect(wayTo(posted)).toEqual([
      'POST /transparents/simulate-payment',
      'UpdateWithStartWorkflow:confirmPayment',
      'RunActivity:recordPayment',
      'StartWorkflow:webhookDelivery',
      'RunActivity:attemptDelivery',
      'POST webhook',
    ]),
  );
});

it('starts a charge in the trace of its request, without addresses or secrets', async () => {
  const { id } = await buildPixCharge(api);
  await eventually(() => {
    const isAbout = (name: string) => (span: ReceivedSpan) =>
      span.name === name && JSON.stringify(span.attributes).includes(id);
    const made = traces.spans.find(isAbout('POST /transparents/create'));
    const started = traces.spans.find(isAbout('StartWorkflow:charge'));
    expect(started?.parentSpanId).toBe(made?.spanId);
    expect(made).toBeDefined();
  });
  const text = JSON.stringify(traces.spans);
  for (const hidden of ['127.0.0.1', 'a-secret-of-some-length', 'abc_dev_', '25.00'])
    expect(text).not.toContain(hidden);
});

const observability = (file: string) =>
  readFileSync(new URL(`../../observability/${file}`, import.meta.url), 'utf8');

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const alerts = (parseYaml(observability('alerts.yml')) as Alerts).groups.flatMap(({ rules }) => rules);
const { panels } = JSON.parse(observability('grafana/dashboards/recebe.json')) as Dashboard;

/** Series that Prometheus makes itself, and labels that it adds. */
const OF_PROMETHEUS = { series: ['up'], labels: ['job', 'instance'] };

it('exports every series and label that alerts and the dashboard query', async () => {
  const env = { DATABASE_URL: String(deployment.env.DATABASE_URL) };
  await runCli(['ledger', 'verify'], { env, print: () => {}, printError: () => {} });
  await insertAccount(env.DATABASE_URL);
  const exprs = [...alerts, ...panels.flatMap(({ targets }) => targets ?? [])].map(({ expr }) =>
    expr.replaceAll('$__rate_interval', '5m').replaceAll('$environment', 'dev'),
  );
  expect(exprs.length).toBeGreaterThan(40);
  await eventually(async () => {
    const samples = await Promise.all(Object.values(processes).map(metricsOf));
    const exported = Map.groupBy(
      samples.flatMap((each) => [...each.keys()]),
      (sample) => sample.replace(/\{.*/, ''),
    );
    const missing = exprs.flatMap(seriesIn).filter(({ name, labels }) => {
      const lines = exported.get(name) ?? [];
      const isThere = (label: string) =>
        OF_PROMETHEUS.labels.includes(label) || lines.some((line) => line.includes(`${label}="`));
      return !OF_PROMETHEUS.series.includes(name) && (lines.length === 0 || !labels.every(isThere));
    });
    expect(missing).toEqual([]);
  });
});

it('lists every alert in the operator guide and finds every file that compose mounts', () => {
  const guide = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  expect(alerts.map(({ alert }) => alert).filter((alert) => !guide.includes(`| \`${alert}\` |`))).toEqual([]);
  const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
  const { services } = parseYaml(compose, { merge: true }) as {
    services: Record<string, { readonly profiles?: readonly string[]; readonly volumes?: readonly string[] }>;
  };
  const observing = Object.values(services).filter(({ profiles }) => profiles?.includes('observability'));
  const mounted = observing
    .flatMap(({ volumes = [] }) => volumes)
    .map((volume) => volume.split(':')[0] ?? '');
  expect(mounted.filter((path) => path.startsWith('./'))).toHaveLength(4);
  for (const path of mounted.filter((each) => each.startsWith('./')))
    expect(existsSync(new URL(`../../${path}`, import.meta.url))).toBe(true);
  const [scraped] = (
    parseYaml(observability('prometheus.yml')) as {
      scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
    }
  ).scrape_configs.flatMap((config) => config.dns_sd_configs);
  expect(scraped?.names.every((name) => name in services)).toBe(true);
  expect(compose).toContain(`METRICS_PORT: ${scraped?.port}`);
});

/** Inserts an unusable account whose certificate expires in 90 days. */
async function insertAccount(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl, 1);
  await database.em.fork().execute(
    `insert into provider_accounts (id, store_id, kind, profile, settings, secret, version, certificate_ends_at, created_at)
     values ('pacc_unusable', ?, 'bacen', 'efi', '{}', '', 1, now() + interval '90 days', now())`,
    [deployment.storeId],
  );
  await database.close(true);
}
