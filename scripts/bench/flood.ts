import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What is sent, where to, and how fast. */
export interface FloodTerms {
  /** Of the API; null for a server that does nothing. */
  readonly url: string | null;
  /** They take turns. */
  readonly keys: readonly string[];
  readonly perSecond: number;
}

export interface FloodCounts {
  readonly sent: number;
  readonly allowed: number;
  readonly refused: number;
  /** Neither, such as 503 or a connection that was closed. */
  readonly failed: number;
  readonly seconds: number;
}

/** What the sender says. */
export type FloodMessage = 'flowing' | FloodCounts;

/**
 * Floods from a process of its own, so that its work is not in the latencies that this one measures. Resolves once the
 * limits have been met, as the first requests are a burst that anyone may send.
 */
export async function startFlood(
  terms: FloodTerms,
): Promise<{ stop(): Promise<FloodCounts> } & AsyncDisposable> {
  const sender = fork(fileURLToPath(new URL('./flood-sender.ts', import.meta.url)));
  const exited = once(sender, 'exit');
  const said = async (): Promise<FloodMessage> => {
    const died = exited.then(([code]) => {
      throw new Error(`the sender of the flood ended (${code})`);
    });
    const [message] = await Promise.race([once(sender, 'message'), died]);
    return message;
  };
  sender.send(terms);
  await said();
  return {
    stop: async () => {
      sender.send('stop');
      return (await said()) as FloodCounts;
    },
    [Symbol.asyncDispose]: async () => {
      if (sender.connected) sender.disconnect();
      await exited;
    },
  };
}
