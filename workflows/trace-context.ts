import { AsyncLocalStorage, type Headers, type WorkflowInterceptors } from '@temporalio/workflow';

/** The header in which the SDK's interceptors of clients and activities carry the context of a trace. */
const TRACE_HEADER = '_tracer-data';

/**
 * Hands the trace on from whoever started, updated or signalled a run to the activities that follow from it. It is
 * part of the workflows where traces are on. The SDK's own interceptor of workflows would make spans of runs, too, but
 * it yields where none of our code does: a run that was begun while traces were off would be led on in another order,
 * and be stuck (test/replay). This one adds a header, and no step.
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
