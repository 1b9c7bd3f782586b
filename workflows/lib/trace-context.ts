import { AsyncLocalStorage, type Headers, type WorkflowInterceptors } from '@temporalio/workflow';

/** The header that carries a trace's context in the SDK's interceptors of clients and activities. */
const TRACE_HEADER = '_tracer-data';

/**
 * Passes the trace of a start, update or signal on to the activities that follow from it. Workers load it if
 * tracing is on. The SDK's own workflow interceptor would also make spans of runs, but it yields at points where
 * our code does not. A run that began with tracing off would then replay in another order and be stuck
 * (test/replay). This one adds a header, and no step.
 */
export function interceptors(): WorkflowInterceptors {
  const traced = new AsyncLocalStorage<Headers[string] | undefined>();
  const within = <Input extends { readonly headers: Headers }, Result>(
    input: Input,
    next: (input: Input) => Result,
  ): Result => traced.run(input.headers[TRACE_HEADER], () => next(input));
  const handOn = <Input extends { readonly headers: Headers }, Result>(
    input: Input,
    next: (input: Input) => Result,
  ): Result => {
    const header = traced.getStore();
    return next(
      header === undefined ? input : { ...input, headers: { ...input.headers, [TRACE_HEADER]: header } },
    );
  };
  return {
    inbound: [{ execute: within, handleUpdate: within, handleSignal: within }],
    outbound: [{ scheduleActivity: handOn, scheduleLocalActivity: handOn }],
  };
}
