import { type AccentShades, accentShades, parseAccentColor } from '../../domain/accent-color.ts';
import { CSS, hashOf, loadAsset, type PageAsset, pageAssets } from './asset-files.ts';

const HERE = import.meta.url;

/** The style of every page for payers: buttons, banners, codes. */
export const pageStylesheet = loadAsset('./page.css', HERE);
/** The boleto's slip and its A4 print layout. */
export const boletoStylesheet = loadAsset('../boleto/boleto-page.css', HERE);
/** Pages that are one card: the receipt, and notices such as a missing page. */
export const cardStylesheet = loadAsset('./card-page.css', HERE);
/** Shared by all pages of checkouts and payment links. */
export const checkoutStylesheet = loadAsset('../checkout/checkout.css', HERE);
/** The form that starts a payment. */
export const payFormStylesheet = loadAsset('../checkout/pay-form.css', HERE);
/** One payment: waiting, confirmed, or ended. */
export const paymentStylesheet = loadAsset('../checkout/payment.css', HERE);
/** The customer portal. */
export const portalStylesheet = loadAsset('../portal/portal.css', HERE);
/** Copy and print buttons; pages work without them. */
export const pageScript = loadAsset('./browser/page.js', HERE);
/** Countdown, status and pictures; the pages work without them. */
export const checkoutScript = loadAsset('../checkout/browser/checkout.js', HERE);
/** The form that starts a payment: fields checked and grouped while they are typed, and coupons without a reload. */
export const payFormScript = loadAsset('../checkout/browser/pay-form.js', HERE);
/** Mount the fields of providers, by the names that their adapters use (`CardFields.ours`). */
export const fieldScripts: ReadonlyMap<string, PageAsset> = new Map([
  ['stripe-fields.js', loadAsset('../checkout/browser/stripe-fields.js', HERE)],
]);
/** Card fields on shops' pages; it has an address of its own, without a hash. */
export const recebeScript = loadAsset('../card/browser/recebe.js', HERE);
/** The script of the frame that it shows. */
export const cardFrameScript = loadAsset('../card/browser/card-frame.js', HERE);
/** Says to a shop's page that its payer is back from their bank. */
export const cardReturnScript = loadAsset('../card/browser/returned.js', HERE);
/** The logo, also the icon of the browser's tab. */
export const pageIcon = loadAsset('./browser/logo.svg', HERE);

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
