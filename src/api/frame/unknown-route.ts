import { ApiError } from './errors.ts';
import { type KnownPath, nearestPath } from './nearest-path.ts';
import type { Route } from './route.ts';
import { documentedPath } from './route-paths.ts';
import type { ApiContext, ApiMiddleware } from './state.ts';

/**
 * The end of the chain: 405 if the path exists with other methods, otherwise 404 with the nearest path of the API.
 * @param count counts the request towards the limit of its key's store. @throws ApiError TOO_MANY_REQUESTS
 */
export function unknownRoute(
  routes: readonly Route[],
  count: (ctx: ApiContext) => void = () => undefined,
): ApiMiddleware {
  const known = routes.map((route): KnownPath => ({ method: route.method, path: documentedPath(route) }));
  return (ctx) => {
    count(ctx);
    return refuse(ctx, known);
  };
}

function refuse(ctx: ApiContext, known: readonly KnownPath[]): never {
  const layers = (ctx.matched ?? []) as readonly { methods: readonly string[] }[];
  const methods = [...new Set(layers.flatMap((layer) => layer.methods))];
  if (methods.length === 0) {
    const nearest = nearestPath(ctx.method, ctx.path, known);
    const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
    throw new ApiError(404, 'ROUTE_NOT_FOUND', `There is nothing at this path${hint}`);
  }
  const allow = methods.join(', ');
  throw new ApiError(405, 'METHOD_NOT_ALLOWED', `This path answers to ${allow} only`, undefined, {
    Allow: allow,
  });
}
