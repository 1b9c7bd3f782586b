import type { Readable } from 'node:stream';
import type { ApiContext } from './state.ts';

/**
 * Answers with server-sent events. Nothing on the way may keep them back until they have an end: they are not compressed,
 * here or by proxies.
 */
export function sendStream(ctx: ApiContext, events: Readable): void {
  ctx.status = 200;
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  ctx.set('Cache-Control', 'no-store, no-transform');
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = events;
}
