import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type AccentShades, accentShades, parseAccentColor } from '../../domain/accent-color.ts';

export const CSS = 'text/css; charset=utf-8';

/** A file that pages refer to. Its path contains a hash of its content, so it can be cached forever. */
export interface PageAsset {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** The `Cache-Control` of every asset: a changed file has another path. One year is the usual maximum. */
export const PAGE_ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** @param base the directory of `file`. @param folder the URL path it is served under. */
export function loadAsset(
  file: string,
  contentType: string,
  base = import.meta.url,
  folder = '/assets',
): PageAsset {
  return assetOf(file, readFileSync(new URL(file, base)), contentType, folder);
}

const BASE_STYLES = readFileSync(new URL('./base.css', import.meta.url));

/** A stylesheet with all it imports. @param base as for {@link loadAsset}, as is `folder`. */
export function loadWholeStylesheet(file: string, base = import.meta.url, folder = '/assets'): PageAsset {
  return assetOf(file, Buffer.concat([BASE_STYLES, readFileSync(new URL(file, base))]), CSS, folder);
}

function assetOf(file: string, body: Buffer, contentType: string, folder: string): PageAsset {
  const hash = hashOf(body);
  const [, name, extension] = /([^/]+)\.(\w+)$/.exec(file) ?? [];
  return { path: `${folder}/${name}.${hash}.${extension}`, contentType, body };
}

/** Twelve hex digits (48 bits) distinguish versions of a file; they need not be secret. */
function hashOf(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 12);
}

/** The style of every page: colours, type, panels, buttons, banners. */
export const pageStylesheet = loadWholeStylesheet('./page.css');
/** The boleto's slip and its A4 print layout. */
export const boletoStylesheet = loadAsset('../boleto/boleto-page.css', CSS);
/** Pages that are one card: the receipt, and notices such as a missing page. */
export const cardStylesheet = loadAsset('./card-page.css', CSS);
/** Shared by all pages of checkouts and payment links. */
export const checkoutStylesheet = loadAsset('../checkout/checkout.css', CSS);
/** The form that starts a payment. */
export const payFormStylesheet = loadAsset('../checkout/pay-form.css', CSS);
/** One payment: waiting, confirmed, or ended. */
export const paymentStylesheet = loadAsset('../checkout/payment.css', CSS);
/** Copy and print buttons; pages work without them. */
export const pageScript = loadAsset('./browser/page.js', 'text/javascript; charset=utf-8');
/** Countdown, status, and a form that shows only the chosen method's fields; the pages work without them. */
export const checkoutScript = loadAsset('../checkout/browser/checkout.js', 'text/javascript; charset=utf-8');
/** Icon of the browser tab. */
export const pageIcon = loadAsset('./browser/icon.svg', 'image/svg+xml');

/** Every asset by its path. */
export const pageAssets: ReadonlyMap<string, PageAsset> = new Map(
  [
    pageStylesheet,
    boletoStylesheet,
    cardStylesheet,
    checkoutStylesheet,
    payFormStylesheet,
    paymentStylesheet,
    pageScript,
    checkoutScript,
    pageIcon,
  ].map((asset) => [asset.path, asset]),
);

/** Overrides the default colour. It is derived from the colour alone, so any process can serve it. */
function accentStylesheet(color: string): PageAsset {
  const { light, dark } = accentShades(color);
  const body = Buffer.from(
    `:root{${declarations(light)}}@media screen and (prefers-color-scheme:dark){:root{${declarations(dark)}}}`,
  );
  return { path: `/assets/accent-${color.slice(1)}.${hashOf(body)}.css`, contentType: CSS, body };
}

function declarations({ brand, brandDark, brandTint, onBrand }: AccentShades): string {
  return `--brand:${brand};--brand-dark:${brandDark};--brand-tint:${brandTint};--on-brand:${onBrand}`;
}

/** @param color as returned by `parseAccentColor`. */
export function accentStylesheetPath(color: string): string {
  return accentStylesheet(color).path;
}

/** The asset at a path under `/assets`, or null. */
export function findPageAsset(path: string): PageAsset | null {
  const [, digits = ''] = /^\/assets\/accent-(\w{6})\./.exec(path) ?? [];
  const color = parseAccentColor(`#${digits}`);
  const asset = color === null ? pageAssets.get(path) : accentStylesheet(color);
  return asset?.path === path ? asset : null;
}
