import type { IncomingMessage } from 'node:http';

const leaving = new WeakMap<IncomingMessage, () => void>();

/** Resolves when the request leaves its turn before its end. */
export function turnLeft(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => leaving.set(request, resolve));
}

/**
 * Ends the turn of a request that will only wait from now on, such as for the server of a merchant. Otherwise it would keep all other
 * requests of its address waiting, which may be that of many people.
 */
export function leaveTurn(request: IncomingMessage): void {
  leaving.get(request)?.();
}

const ofStores = new WeakSet<IncomingMessage>();

/** Records that a request takes the turns of a store, so that no other turns need to bound it. */
export function noteTurnOfStore(request: IncomingMessage): void {
  ofStores.add(request);
}

export function hasTurnOfStore(request: IncomingMessage): boolean {
  return ofStores.has(request);
}

const withPayment = new WeakSet<IncomingMessage>();

/** Records that a form has begun a payment, or prepared one, within its limit: however many payers do so, none waits for another. */
export function noteBegunPayment(request: IncomingMessage): void {
  withPayment.add(request);
}

export function hasBegunPayment(request: IncomingMessage): boolean {
  return withPayment.has(request);
}
