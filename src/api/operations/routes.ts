import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import type { ApiState } from '../frame/state.ts';
import type { Probes } from './probes.ts';

/** `/healthz`, `/readyz` and `/openapi.json`, for operators and tools: no key needed. */
export function operationRoutes(probes: Probes, document: () => object): Router<ApiState, DefaultContext> {
  const router = new Router<ApiState, DefaultContext>();
  let served: ReturnType<typeof withTag> | undefined;
  router.use((ctx, next) => {
    ctx.state.route = ctx.path;
    return next();
  });
  for (const path of ['/healthz', '/readyz'] as const)
    router.get(path, async (ctx) => {
      const { status, body } = await probes.answer(path);
      ctx.status = status;
      ctx.body = body;
    });
  router.get('/openapi.json', (ctx) => {
    ctx.type = 'application/json';
    ctx.set('Cache-Control', 'public, max-age=300');
    // Allows browser tools on other sites to read it; it contains no store data.
    ctx.set('Access-Control-Allow-Origin', '*');
    served ??= withTag(JSON.stringify(document()));
    ctx.etag = served.tag;
    ctx.vary('Accept-Encoding');
    // Otherwise a client that accepts other encodings would have the middleware compress it again.
    ctx.compress = false;
    const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isCompressed) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isCompressed ? served.gzip : served.json;
    if (ctx.fresh) ctx.status = 304;
  });
  return router;
}

function withTag(json: string) {
  // Compressed once: doing it for each request takes 13 ms of a core.
  return { json, gzip: gzipSync(json), tag: createHash('sha256').update(json).digest('base64url') };
}
