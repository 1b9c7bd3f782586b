import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** More alerts than connections are none that anybody still asks about. */
const MOST_KEPT = 64;

/**
 * How connections are made, and the alert that one was ended with. A server that speaks TLS 1.3 refuses a certificate after
 * the handshake, when a request is under way already: undici then says that the other side has closed, and no more.
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

  /** The code of the alert that a request's connection was ended with; null where there was none. */
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
