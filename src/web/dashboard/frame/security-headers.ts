import { pageSecurityHeaders } from '../../frame/security-headers.ts';

/** Nothing is inline. Images of products and stores may come from any host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every page of the dashboard. */
export function dashboardHeaders(publicUrl: string): Record<string, string> {
  return {
    ...pageSecurityHeaders({ https: publicUrl.startsWith('https:') }),
    'Content-Security-Policy': POLICY,
    // With `no-referrer` browsers send forms with `Origin: null`, which looks like another site's.
    'Referrer-Policy': 'same-origin',
  };
}

/** Overrides for a page that shows previews in frames. */
export const PAGE_WITH_PREVIEWS_HEADERS = {
  'Content-Security-Policy': `${POLICY}; frame-src 'self'`,
} as const;

/** Overrides for a preview: the dashboard may frame it. It runs no script and sends no form, also when it is opened by itself. */
export const PREVIEW_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' https:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    // Without an origin it would not get the assets, which only this origin may load.
    'sandbox allow-same-origin',
  ].join('; '),
  'X-Frame-Options': 'SAMEORIGIN',
} as const;
