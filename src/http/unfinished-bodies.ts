import type { IncomingMessage } from 'node:http';
import type { ClientAddresses } from './client-address.ts';

interface Arriving {
  readonly request: IncomingMessage;
  readonly client: string;
  readonly sinceMs: number;
  /** What its connection had sent before. */
  readonly bytesBefore: number;
}

interface Limits {
  /** The most that the unfinished bodies of all clients have sent. */
  readonly mostBytes: number;
  /** A body that has been arriving for less is not broken off. */
  readonly patienceMs: number;
  readonly checkMs: number;
}

const LIMITS: Limits = { mostBytes: 128 * 1024 * 1024, patienceMs: 1_000, checkMs: 1_000 };

/**
 * A body stays in memory until its client has sent the rest, for which it has a minute. Clients that stop before the last byte, on
 * hundreds of connections, must not fill the memory of a process: beyond the limit, the client that has sent the most loses its oldest
 * unfinished request.
 */
export class UnfinishedBodies {
  readonly #addresses: ClientAddresses;
  readonly #limits: Limits;
  /** The oldest first. */
  readonly #arriving = new Set<Arriving>();
  #timer: NodeJS.Timeout | null = null;

  constructor(addresses: ClientAddresses, limits: Limits = LIMITS) {
    this.#addresses = addresses;
    this.#limits = limits;
  }

  /** Watches a request whose headers have arrived, until its body has. */
  watch(request: IncomingMessage): void {
    const { headers, socket } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    const client = this.#addresses.siteOf(request) ?? this.#addresses.of(request);
    const body = { request, client, sinceMs: performance.now(), bytesBefore: socket.bytesRead };
    this.#arriving.add(body);
    this.#timer ??= setInterval(() => this.#check(), this.#limits.checkMs).unref();
    request.once('close', () => this.#forget(body));
  }

  #forget(body: Arriving): void {
    this.#arriving.delete(body);
    if (this.#arriving.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #check(): void {
    const unfinished = [...this.#arriving].filter(({ request }) => !request.complete);
    let bytes = bytesOf(unfinished);
    if (bytes <= this.#limits.mostBytes) return;
    const byClient = [...Map.groupBy(unfinished, ({ client }) => client).values()];
    for (const own of byClient.sort((a, b) => bytesOf(b) - bytesOf(a)))
      for (const body of own) {
        if (bytes <= this.#limits.mostBytes) return;
        if (performance.now() - body.sinceMs < this.#limits.patienceMs) break;
        bytes -= bytesOf([body]);
        body.request.socket.destroy();
      }
  }
}

function bytesOf(bodies: readonly Arriving[]): number {
  return bodies.reduce((sum, { request, bytesBefore }) => sum + request.socket.bytesRead - bytesBefore, 0);
}
