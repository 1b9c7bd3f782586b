import {
  type ConnectionOptions,
  type ConnectionPlugin,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Interceptor>;

/** gRPC's status of a call that its caller gave up. It is not retried. */
const CANCELLED = 1;

/**
 * Temporal's client begins the retry of a call in a timer. If the connection was closed meanwhile, gRPC throws there,
 * where nobody can catch it, and the test file that runs by then in the same process fails. With this plugin such a call
 * ends as cancelled.
 */
export const ENDS_WITH_CONNECTION: ConnectionPlugin = {
  name: 'ends-with-connection',
  configureConnection: (options) => ({
    ...options,
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), cancelIfClosed],
  }),
};

const cancelIfClosed: Interceptor = (options, nextCall) => {
  try {
    return nextCall(options) as Call;
  } catch {
    return cancelledCall();
  }
};

/** A call that is answered as soon as it starts. The retries of Temporal's client use it as the interface only. */
function cancelledCall(): Call {
  const call: Pick<Call, keyof Call> = {
    start: (metadata, listener = {}) => {
      listener.onReceiveMessage?.(null);
      listener.onReceiveStatus?.({ code: CANCELLED, details: 'the connection was closed', metadata });
    },
    sendMessage: () => {},
    sendMessageWithContext: () => {},
    startRead: () => {},
    halfClose: () => {},
    cancelWithStatus: () => {},
    getPeer: () => '',
    getAuthContext: () => null,
  };
  return call as Call;
}
