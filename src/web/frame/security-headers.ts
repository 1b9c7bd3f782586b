import type { CardFields } from '../../providers/ports/cards.ts';
import { PAGE_ASSET_CACHE_CONTROL } from './asset-files.ts';

/** Nothing is inline: styles, scripts, font and icons come from `/assets`; QR and bar codes are SVG elements. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Also allows forms that post here, a script that polls the payment's status here, and product images from any host. */
const PAY_PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** One year: the minimum for browsers' preload lists, and long enough for payers who pay yearly. */
const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * Headers of every page for payers. The page's URL is its only secret and the page shows personal data, so it is not stored,
 * framed, indexed or sent as a referrer.
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

/** Overrides of these headers for pages that take payments. */
export const PAY_PAGE_HEADERS = {
  'Content-Security-Policy': PAY_PAGE_POLICY.join('; '),
  // With `no-referrer` browsers send forms with `Origin: null`, which looks like another site's.
  'Referrer-Policy': 'same-origin',
} as const;

/** Overrides of these headers for a page whose only form posts to the page itself. */
export const FORM_PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY.replace("form-action 'none'", "form-action 'self'"),
} as const;

/** What {@link allowFraming} needs of a response. */
interface Framed {
  readonly response: { get(name: string): string };
  set(name: string, value: string): void;
  remove(name: string): void;
}

/** For a page that a shop may show on its own page: nothing on it can be clicked to pay with real money. */
export function allowFraming(ctx: Framed): void {
  const policy = ctx.response.get('Content-Security-Policy').replace("; frame-ancestors 'none'", '');
  ctx.set('Content-Security-Policy', policy);
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  ctx.remove('X-Frame-Options');
}

/**
 * Also allows the fields of one provider, from its own origins, on a page that takes a card.
 * @param hasWallets also allows its frames to open a wallet: in the browser (Payment Request), or in a window of their own.
 */
export function policyWithCardFields(
  { scriptOrigins, frameOrigins, connectOrigins }: CardFields,
  hasWallets = false,
) {
  const more: Readonly<Record<string, readonly string[]>> = {
    "script-src 'self'": scriptOrigins,
    "connect-src 'self'": connectOrigins,
  };
  const policy = PAY_PAGE_POLICY.map((rule) => [rule, ...(more[rule] ?? [])].join(' '));
  const allowed = frameOrigins.map((origin) => `"${origin}"`).join(' ');
  return {
    'Content-Security-Policy': [...policy, `frame-src ${frameOrigins.join(' ')}`].join('; '),
    ...(hasWallets && {
      'Permissions-Policy': `camera=(), geolocation=(), microphone=(), payment=(self ${allowed})`,
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    }),
  };
}

/** Overrides of these headers for the script that shops load from their pages. A day: its address stays the same. */
export const SHOP_SCRIPT_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'public, max-age=86400, stale-while-revalidate=604800',
} as const;

/** Overrides of these headers for stores' logos: a picture that runs nothing, also when it is opened by itself. */
export const LOGO_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': PAGE_ASSET_CACHE_CONTROL,
} as const;
