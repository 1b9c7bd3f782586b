import type { Readable } from 'node:stream';
import type { ApiContext } from './state.ts';

/**
 * Sends server-sent events. Compression is off, here and in proxies, because it would buffer events until the
 * stream ends.
 */
export function sendStream(ctx: ApiContext, events: Readable): void {
  ctx.status = 200;
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  ctx.set('Cache-Control', 'no-store, no-transform');
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = events;
}
