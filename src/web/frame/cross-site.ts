import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was posted from another site's page: by `Sec-Fetch-Site`, which scripts cannot set (Fetch Metadata), or by
 * `Origin` in browsers without it. A client that sends neither is not a browser, so no user's cookies are at risk.
 */
export function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return isOtherSite(site);
  return headers.origin !== undefined && headers.origin !== new URL(publicUrl).origin;
}

/**
 * Whether a link on another site has opened an address. Browsers without Fetch Metadata do not say so. A link in a mail program, a
 * bookmark or a typed address is no site's.
 */
export function isLinkOfOtherSite({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site !== undefined && isOtherSite(site);
}

function isOtherSite(site: IncomingHttpHeaders['sec-fetch-site']): boolean {
  return site !== 'same-origin' && site !== 'none';
}
