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
