import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddresses } from './client-address.ts';

export interface ConnectionNumbers {
  /** Connections at a time. */
  readonly most: number;
  /** Of them, those of one address that is none of our proxies; null for no limit of its own. */
  readonly mostOfAddress: number | null;
  /** How long a connection must have waited for its client before it may make room for another one. */
  readonly patienceMs: number;
}

interface Connection {
  readonly name: string;
  readonly socket: Socket;
  /** Null for a proxy of ours, which stands for many clients. */
  readonly address: string | null;
  /** Since when it is what it is, of `performance.now()`. */
  sinceMs: number;
  /** What it is asked, while that is being answered; null between requests. */
  request: IncomingMessage | null;
  answer: ServerResponse | null;
  hasAsked: boolean;
}

/**
 * Sees to it that no client keeps others out by connections that it holds and does not use. Beyond a limit the
 * connection that has waited longest for its client makes room: one that has asked nothing yet, then one that does not
 * finish its request, then one that is kept for a next request, then one that does not read its answer. Where none has waited
 * long, the address that has the most gives one up that is between two requests. Where all are in use, the new one is closed.
 * Connections of proxies of ours make no room, and have no limit but that of all.
 */
export class Connections {
  readonly #numbers: ConnectionNumbers;
  readonly #addresses: ClientAddresses;
  readonly #logLimited: (address: string) => void;
  readonly #all = new Map<string, Connection>();
  readonly #ofAddress = new Map<string, Set<Connection>>();

  /** @param logLimited is told which address has met its limit, each time. */
  constructor(numbers: ConnectionNumbers, addresses: ClientAddresses, logLimited: (address: string) => void) {
    this.#numbers = numbers;
    this.#addresses = addresses;
    this.#logLimited = logLimited;
  }

  /** Watches what the server takes from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#opened(socket));
    server.on('request', (request, response) => this.#asked(request, response));
  }

  #opened(socket: Socket): void {
    const client = this.#addresses.ofConnection(socket);
    // It has gone already.
    if (client === null) return void socket.destroy();
    const { most, mostOfAddress } = this.#numbers;
    const { address } = client;
    const own = address === null ? undefined : this.#ofAddress.get(address);
    if (address !== null && own !== undefined && own.size >= (mostOfAddress ?? Number.POSITIVE_INFINITY)) {
      this.#logLimited(address);
      if (!this.#makeRoom(own)) return void socket.destroy();
    }
    const isFull = this.#all.size >= most;
    if (isFull && !this.#makeRoom(this.#all.values()) && !this.#shareOut(own?.size ?? 0))
      return void socket.destroy();
    this.#keep(socket, address);
  }

  #keep(socket: Socket, address: string | null): void {
    const connection: Connection = {
      name: nameOf(socket),
      socket,
      address,
      sinceMs: performance.now(),
      request: null,
      answer: null,
      hasAsked: false,
    };
    this.#all.set(connection.name, connection);
    if (address !== null) {
      const own = this.#ofAddress.get(address) ?? new Set();
      this.#ofAddress.set(address, own.add(connection));
    }
    socket.once('close', () => this.#forget(connection));
  }

  #forget(connection: Connection): void {
    const { name, address } = connection;
    if (this.#all.get(name) === connection) this.#all.delete(name);
    if (address === null) return;
    const own = this.#ofAddress.get(address);
    own?.delete(connection);
    if (own?.size === 0) this.#ofAddress.delete(address);
  }

  #asked(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#all.get(nameOf(request.socket));
    if (connection === undefined) return;
    connection.request = request;
    connection.answer = response;
    connection.hasAsked = true;
    connection.sinceMs = performance.now();
    response.once('prefinish', () => {
      // From here on it is the client's turn to read.
      if (connection.request === request) connection.sinceMs = performance.now();
    });
    response.once('close', () => {
      if (connection.request !== request) return;
      connection.request = null;
      connection.answer = null;
      connection.sinceMs = performance.now();
    });
  }

  /** Closes the one of these that waits for its client and has done so longest. @returns whether there was one. */
  #makeRoom(connections: Iterable<Connection>): boolean {
    const nowMs = performance.now();
    let chosen: { readonly connection: Connection; readonly rank: number } | null = null;
    for (const connection of connections) {
      const rank = this.#rankOf(connection, nowMs);
      if (rank === null) continue;
      const isBetter =
        chosen === null ||
        rank < chosen.rank ||
        (rank === chosen.rank && connection.sinceMs < chosen.connection.sinceMs);
      if (isBetter) chosen = { connection, rank };
    }
    if (chosen === null) return false;
    this.#close(chosen.connection);
    return true;
  }

  /**
   * Closes a connection between two requests, however short it has waited, of the address that has the most: otherwise a few
   * addresses keep all connections by asking something on each once a second.
   * @param own how many the newcomer's address has. One that would not have fewer after all takes nobody's place.
   */
  #shareOut(own: number): boolean {
    let chosen: { readonly connection: Connection; readonly size: number } | null = null;
    for (const connection of this.#all.values()) {
      const { address, request, sinceMs } = connection;
      if (address === null || request !== null) continue;
      const size = this.#ofAddress.get(address)?.size ?? 0;
      const isBetter =
        chosen === null ||
        size > chosen.size ||
        (size === chosen.size && sinceMs < chosen.connection.sinceMs);
      if (isBetter) chosen = { connection, size };
    }
    if (chosen === null || chosen.size <= own + 1) return false;
    this.#close(chosen.connection);
    return true;
  }

  #close(connection: Connection): void {
    connection.socket.destroy();
    // The event of its end comes later, and room is needed now.
    this.#forget(connection);
  }

  /** Which kind makes room first; null for a connection that is in use, a proxy's, or has only just begun to wait. */
  #rankOf(connection: Connection, nowMs: number): number | null {
    const { address, sinceMs, request, answer, hasAsked } = connection;
    if (address === null || nowMs - sinceMs < this.#numbers.patienceMs) return null;
    if (request === null) return hasAsked ? 2 : 0;
    if (!request.complete) return 1;
    return answer?.writableEnded || answer?.writableNeedDrain ? 3 : null;
  }
}

/** The same for a connection and for what TLS makes of it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}/${remotePort}`;
}
