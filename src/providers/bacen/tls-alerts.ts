import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** More alerts than connections are of no use to any caller. */
const MOST_KEPT = 64;

/**
 * Opens connections and records the alert that ended one. A TLS 1.3 server rejects a certificate after the
 * handshake, when a request is already under way: undici then reports only that the other side closed.
 */
export class TlsAlerts {
  readonly connect: buildConnector.connector;
  readonly #codes = new Map<number, string>();

  constructor(options: buildConnector.BuildOptions) {
    const connect = buildConnector(options);
    this.connect = (to, callback) =>
      connect(to, (...answer) => {
        const [error, socket] = answer;
        if (error === null) this.#listen(socket);
        callback(...answer);
      });
  }

  /** The code of the alert that ended a request's connection; null if there was none. */
  of(error: unknown): string | null {
    const { localPort } = (error as { socket?: { localPort?: number } | null }).socket ?? {};
    return this.#codes.get(localPort ?? 0) ?? null;
  }

  #listen(socket: Socket): void {
    const { localPort = 0 } = socket;
    this.#codes.delete(localPort);
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (!code.includes('ALERT')) return;
      if (this.#codes.size >= MOST_KEPT) this.#codes.clear();
      this.#codes.set(localPort, code);
    });
  }
}
