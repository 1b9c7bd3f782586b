import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Config } from '../config.ts';

/** What traces are made by, beside requests and webhooks, which make their own spans. */
export interface Tracing {
  readonly client: WorkflowClientInterceptor;
  readonly activity: ActivityInterceptorsFactory;
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT` by OTLP over HTTP, in batches; whether it answers changes nothing here.
 * Call once, before the first client. Nothing of it is loaded where no endpoint is set: `@opentelemetry/api` alone
 * does nothing.
 *
 * @returns null where no endpoint is set.
 */
export async function startTracing({ tracing }: Pick<Config, 'tracing'>): Promise<Tracing | null> {
  if (tracing === null) return null;
  const [hooks, otlp, { Resource }, sdk, client, worker] = await Promise.all([
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@temporalio/interceptors-opentelemetry/lib/client/index.js'),
    import('@temporalio/interceptors-opentelemetry/lib/worker/index.js'),
  ]);
  const exporter = new otlp.OTLPTraceExporter({ url: `${tracing.endpoint}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: new Resource({ 'service.name': tracing.serviceName }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  provider.register({ contextManager: new hooks.AsyncLocalStorageContextManager().enable() });
  return {
    client: new client.OpenTelemetryWorkflowClientInterceptor(),
    activity: (context) => ({ inbound: new worker.OpenTelemetryActivityInboundInterceptor(context) }),
    close: () => provider.shutdown(),
  };
}
