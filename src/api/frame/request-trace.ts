import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ApiMiddleware } from './state.ts';

/**
 * The span of a request, a child of the client's span if it sent one (W3C Trace Context). Its name is the
 * route's pattern, as in the request log, whose line has the trace id.
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
