import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ApiMiddleware } from './state.ts';

/**
 * The span of a request, below that of the caller where they sent one (W3C Trace Context). It is named by the route's
 * pattern, as the request's line in the log is, which has the id of the trace.
 */
export const requestTrace: ApiMiddleware = (ctx, next) => {
  const caller = propagation.extract(context.active(), ctx.headers);
  const span = trace.getTracer('recebe').startSpan(ctx.method, { kind: SpanKind.SERVER }, caller);
  ctx.state.log = ctx.state.log.child({ traceId: span.spanContext().traceId });
  return context.with(trace.setSpan(caller, span), async () => {
    await next();
    const { route = 'none', requestId, caller: key, about, code } = ctx.state;
    span.updateName(`${ctx.method} ${route}`);
    span.setAttributes({
      'http.request.method': ctx.method,
      'http.route': route,
      'http.response.status_code': ctx.status,
      'recebe.request_id': requestId,
      ...(code !== undefined && { 'recebe.code': code }),
      ...(key !== undefined && { 'recebe.store_id': key.storeId }),
      ...Object.fromEntries(Object.entries(about ?? {}).map(([name, id]) => [`recebe.${name}`, id])),
    });
    if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
};
