import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';

/**
 * What a response may have beside its body: headers, of which undici allows 16 KiB, and what frames the chunks. undici counts neither an
 * endless status line nor what a server writes behind the size of a chunk, and both keep a core busy as long as they last.
 */
const MOST_BYTES_BESIDE_BODY = 256 * 1024;

/** The server sends too much beside the body. */
export class ResponseFramingError extends Error {
  override readonly name = 'ResponseFramingError';
  readonly code = 'RESPONSE_FRAMING';
}

/** What arrived on a connection since its last request. */
interface Received {
  bytes: number;
  bodyBytes: number;
}

/** Of the connection that was read last: undici parses what it has read before it reads anything else. */
let lastRead: Received | null = null;

/** Closes connections whose responses have too much beside the body. Small chunks may have as much again as the body. */
export function withResponseBudget(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...answer: buildConnector.CallbackArgs) => {
      const [error, socket] = answer;
      if (error === null) limitReads(socket);
      callback(...answer);
    });
}

function limitReads(socket: Socket): void {
  const { read, write, unshift } = socket;
  let received: Received = { bytes: 0, bodyBytes: 0 };
  socket.write = (...sent: unknown[]) => {
    received = { bytes: 0, bodyBytes: 0 };
    return Reflect.apply(write, socket, sent);
  };
  socket.read = (sizeBytes?: number) => {
    const part: Buffer | null = Reflect.apply(read, socket, [sizeBytes]);
    received.bytes += part?.length ?? 0;
    lastRead = received;
    if (received.bytes <= MOST_BYTES_BESIDE_BODY + 2 * received.bodyBytes) return part;
    socket.destroy(new ResponseFramingError('the response has too much beside its body'));
    return null;
  };
  // What undici could not parse yet is read again.
  socket.unshift = (...given: Parameters<Socket['unshift']>) => {
    received.bytes -= given[0].length;
    return Reflect.apply(unshift, socket, given);
  };
}

/** Counts the bodies for {@link withResponseBudget}. */
export const countingBodies: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (controller, part) => {
      if (lastRead !== null) lastRead.bodyBytes += part.length;
      return handler.onResponseData?.(controller, part);
    },
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  });
