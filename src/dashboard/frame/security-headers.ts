import { pageSecurityHeaders } from '../../pages/frame/security-headers.ts';

/** Nothing is inline. Pictures of products and stores come from wherever merchants keep them. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https:",
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
    // Without any referrer browsers send forms with `Origin: null`, which cannot be told from another site's.
    'Referrer-Policy': 'same-origin',
  };
}
