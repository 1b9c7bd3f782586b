/** Nothing is inline: styles, script and icon come from `/assets`, QR and bar codes are SVG elements. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Also forms that post here, a script that asks here for the payment's status, and pictures of products from
 * anywhere.
 */
const PAY_PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** One year: the shortest that browsers' preload lists accept, and long enough to cover yearly payers. */
const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * Headers of every page a payer opens. The page's address is its only secret and the page shows personal
 * data, so it is not stored, framed, indexed or sent on as a referrer.
 */
export function pageSecurityHeaders({ https }: { readonly https: boolean }): Record<string, string> {
  return {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(https && { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` }),
  };
}

/** What the pages that take payments send in place of the headers of the same names. */
export const PAY_PAGE_HEADERS = {
  'Content-Security-Policy': PAY_PAGE_POLICY,
  // Without any referrer browsers send forms with `Origin: null`, which cannot be told from another site's.
  'Referrer-Policy': 'same-origin',
} as const;
