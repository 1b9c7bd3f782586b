import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddresses } from './client-address.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';

/** New connections of an address. What is refused on them, such as a malformed request, counts nowhere else. */
const OPENED: RateLimit = { perSecond: 200, burst: 2_000 };

export interface ConnectionNumbers {
  /** Maximum open connections. */
  readonly most: number;
  /** Maximum connections of one address that is not a trusted proxy; null for no limit per address. */
  readonly mostOfAddress: number | null;
  /** A connection that has waited for its client this long may be closed to free a slot. */
  readonly patienceMs: number;
}

interface Connection {
  readonly name: string;
  readonly socket: Socket;
  /** Null for a trusted proxy, which serves many clients. */
  readonly address: string | null;
  /** Start of the current state, as `performance.now()`. */
  sinceMs: number;
  /** The current request until its response ends; null between requests. */
  request: IncomingMessage | null;
  answer: ServerResponse | null;
  hasAsked: boolean;
}

/**
 * Prevents clients from exhausting connections that they do not use. Over a limit, the connection that has
 * waited longest for its client is closed: of the address that has far more than the others, if there is one. The order is: no request yet, unfinished request, idle between
 * requests, response not read. If none has waited long enough, the address with the most connections loses
 * one that is between two requests. If all are in use, the new connection is closed. Connections of trusted
 * proxies are never closed, and count towards the total limit only.
 */
export class Connections {
  readonly #numbers: ConnectionNumbers;
  readonly #addresses: ClientAddresses;
  readonly #logLimited: (address: string) => void;
  readonly #all = new Map<string, Connection>();
  readonly #ofAddress = new Map<string, Set<Connection>>();
  readonly #opening = new RateLimiter(OPENED);

  /** @param logLimited called with the address each time it reaches its limit. */
  constructor(numbers: ConnectionNumbers, addresses: ClientAddresses, logLimited: (address: string) => void) {
    this.#numbers = numbers;
    this.#addresses = addresses;
    this.#logLimited = logLimited;
  }

  /** Watches new connections of the server. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#opened(socket));
    server.on('request', (request, response) => this.#asked(request, response));
  }

  #opened(socket: Socket): void {
    if (socket.destroyed) return;
    const client = this.#addresses.ofConnection(socket);
    // The client has already disconnected.
    if (client === null) return void socket.destroy();
    const { most, mostOfAddress } = this.#numbers;
    const { address } = client;
    const isLimited = address !== null && mostOfAddress !== null;
    if (isLimited && !this.#opening.take(address, performance.now()).isAllowed) return void socket.destroy();
    const own = address === null ? undefined : this.#ofAddress.get(address);
    if (address !== null && own !== undefined && own.size >= (mostOfAddress ?? Number.POSITIVE_INFINITY)) {
      this.#logLimited(address);
      if (!this.#makeRoom(own)) return void socket.destroy();
    }
    const isFull = this.#all.size >= most;
    if (isFull && !this.#makeRoomFor(own?.size ?? 0)) return void socket.destroy();
    this.#keep(socket, address);
  }

  /** Closes one of the address that has far more than the others, or else of all. @returns whether there was one. */
  #makeRoomFor(own: number): boolean {
    const crowd = this.#crowd(own);
    if (crowd !== null && (this.#makeRoom(crowd) || this.#shareOut(own))) return true;
    return this.#makeRoom(this.#all.values()) || this.#shareOut(own);
  }

  /**
   * The connections of the address with the most, if they are more than twice what each address could have, or an eighth of all. Otherwise
   * the slow requests of all others would be closed for its idle ones.
   */
  #crowd(own: number): ReadonlySet<Connection> | null {
    let crowd: ReadonlySet<Connection> | null = null;
    for (const connections of this.#ofAddress.values())
      if (connections.size > (crowd?.size ?? 0)) crowd = connections;
    const { most: all } = this.#numbers;
    const most = Math.max(own + 1, Math.min((2 * all) / this.#ofAddress.size, all / 8));
    return crowd !== null && crowd.size > most ? crowd : null;
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
      // From here on the server waits for the client to read.
      if (connection.request === request) connection.sinceMs = performance.now();
    });
    response.once('close', () => {
      if (connection.request !== request) return;
      connection.request = null;
      connection.answer = null;
      connection.sinceMs = performance.now();
    });
  }

  /** Closes the connection that has waited longest for its client. @returns whether there was one. */
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
   * Closes a connection between two requests, however short its wait, of the address with the most
   * connections. Otherwise a few addresses could keep all connections with one request a second on each.
   * @param own the new client's connections. It gets a slot only if it still has fewer afterwards.
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
    // The 'close' event comes later, but the slot is needed now.
    this.#forget(connection);
  }

  /**
   * Which kind is closed first; null for a connection that is in use, belongs to a proxy, or has only just
   * started to wait.
   */
  #rankOf(connection: Connection, nowMs: number): number | null {
    const { address, sinceMs, request, answer, hasAsked } = connection;
    if (address === null || nowMs - sinceMs < this.#numbers.patienceMs) return null;
    if (request === null) return hasAsked ? 2 : 0;
    if (!request.complete) return 1;
    return answer?.writableEnded || answer?.writableNeedDrain ? 3 : null;
  }
}

/** The same name for a socket and its TLS socket. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}/${remotePort}`;
}
