import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The requests of a flood, their address and their rate. */
export interface FloodTerms {
  /** Of the API; null for a server that does nothing. */
  readonly url: string | null;
  /** The headers of its senders, such as a key or an address, which are used in turn. */
  readonly senders: readonly FloodSender[];
  readonly perSecond: number;
  readonly request: FloodRequest;
  /** How many are sent before the flood is measured. */
  readonly before: number;
}

/** The headers that tell one sender of a flood from another. */
export type FloodSender = Readonly<Record<string, string>>;

/** What a flood sends again and again. */
export interface FloodRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON, or the fields of a form; null for a GET request. */
  readonly body: string | null;
}

/** Sends JSON with this API key. */
export function withKey(key: string): FloodSender {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}

/** Sends the fields of forms from this address, which a trusted proxy names. */
export function fromAddress(address: string): FloodSender {
  return { 'x-forwarded-for': address, 'content-type': 'application/x-www-form-urlencoded' };
}

export interface FloodCounts {
  readonly sent: number;
  readonly allowed: number;
  readonly refused: number;
  /** Other outcomes, such as 503 or a closed connection. */
  readonly failed: number;
  readonly seconds: number;
}

/** A message of the sender. */
export type FloodMessage = 'flowing' | FloodCounts;

/**
 * Floods from a separate process, so that its work does not affect the latencies measured here. Resolves once the limits apply,
 * after the burst that every client may send.
 */
export async function startFlood(
  terms: FloodTerms,
): Promise<{ stop(): Promise<FloodCounts> } & AsyncDisposable> {
  const sender = fork(fileURLToPath(new URL('./flood-sender.ts', import.meta.url)));
  const exited = once(sender, 'exit');
  const nextMessage = async (): Promise<FloodMessage> => {
    const died = exited.then(([code]) => {
      throw new Error(`the sender of the flood ended (${code})`);
    });
    const [message] = await Promise.race([once(sender, 'message'), died]);
    return message;
  };
  sender.send(terms);
  await nextMessage();
  return {
    stop: async () => {
      sender.send('stop');
      return (await nextMessage()) as FloodCounts;
    },
    [Symbol.asyncDispose]: async () => {
      if (sender.connected) sender.disconnect();
      await exited;
    },
  };
}
