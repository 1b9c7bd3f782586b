import { ApiError } from './errors.ts';
import type { ApiMiddleware } from './state.ts';

/** The end of the chain: 405 if the path exists with other methods, otherwise 404. */
export const unknownRoute: ApiMiddleware = (ctx) => {
  const layers = (ctx.matched ?? []) as readonly { methods: readonly string[] }[];
  const methods = [...new Set(layers.flatMap((layer) => layer.methods))];
  if (methods.length === 0) throw new ApiError(404, 'ROUTE_NOT_FOUND', 'There is nothing at this path');
  const allow = methods.join(', ');
  throw new ApiError(405, 'METHOD_NOT_ALLOWED', `This path answers to ${allow} only`, undefined, {
    Allow: allow,
  });
};
