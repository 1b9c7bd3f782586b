import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from './box-faults.ts';

/** Applies the faults that come before the effect of a request. @returns false if the request ends with that. */
export async function passesBefore(
  faults: Faults,
  on: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const later = faults.take(on, ['DELAY']);
  if (later !== null) await sleep(later.ms, null, { ref: false });
  const early = faults.take(on, ['DROP_BEFORE_EFFECT', 'HANG_BEFORE_EFFECT', 'STATUS']);
  if (early?.kind === 'DROP_BEFORE_EFFECT') request.socket.destroy();
  if (early?.kind === 'STATUS') {
    const pause = early.retryAfterSeconds;
    response.writeHead(early.status, {
      'content-type': 'application/json',
      ...(pause !== undefined && { 'retry-after': String(pause) }),
    });
    response.end();
  }
  return early === null;
}

/** Applies the faults that come after the effect of a request. @returns false if its answer is lost. */
export function passesAfter(faults: Faults, on: string, request: IncomingMessage): boolean {
  const late = faults.take(on, ['DROP_AFTER_EFFECT', 'HANG_AFTER_EFFECT']);
  if (late?.kind === 'DROP_AFTER_EFFECT') request.socket.destroy();
  return late === null;
}
