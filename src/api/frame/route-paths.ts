import type { Route } from './route.ts';

const VERSION = /^\/v\d+\//;

/** Where a route is documented: under the version that its path starts with, else under `/v2`. */
export function documentedPath({ path }: Pick<Route, 'path'>): string {
  return VERSION.test(path) ? path : `/v2${path}`;
}

/** Every path that a route is served at (contract section 1, "Prefix"). */
export function servedPaths({ path }: Pick<Route, 'path'>): string[] {
  return [...new Set([documentedPath({ path }), path])];
}
