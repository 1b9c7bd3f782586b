import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/**
 * Runs `work` as one span of a trace, below the one that is under way. Attributes are ids of ours and figures: never
 * an address, a body, a name or an amount. Where traces are off, it does nothing but run it.
 */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return trace
    .getTracer('recebe')
    .startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        return await work(span);
      } catch (error) {
        // What an error says may quote people's data.
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
}

/** The headers by which another server goes on with the trace (W3C Trace Context); none where traces are off. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
