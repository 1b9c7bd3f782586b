import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Config } from '../config.ts';

/** The tracing SDK, for spans other than those of requests and webhooks. */
export interface Tracing {
  readonly client: WorkflowClientInterceptor;
  readonly activity: ActivityInterceptorsFactory;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/**
 * Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT` by OTLP over HTTP, in batches. Failures of the endpoint do not affect the service.
 * Call it once, before creating clients. Without an endpoint nothing is loaded: `@opentelemetry/api` alone does nothing.
 *
 * @returns null if no endpoint is set.
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
