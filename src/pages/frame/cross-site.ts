import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was posted from another site's page: by `Sec-Fetch-Site`, which scripts cannot set (Fetch
 * Metadata), else by `Origin` in browsers without it. What sends neither is no browser, and acts for nobody
 * but itself.
 */
export function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && headers.origin !== new URL(publicUrl).origin;
}
