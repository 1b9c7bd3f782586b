import { loadAsset } from './asset-files.ts';
import { type Html, html } from './html.ts';

/** The icons of all pages, by their names in Lucide. `npm run icons` draws them into one file. */
export const ICONS = [
  'activity',
  'arrow-down',
  'arrow-left',
  'arrow-up',
  'badge-check',
  'banknote',
  'copy',
  'credit-card',
  'download',
  'flask-conical',
  'history',
  'house',
  'key-round',
  'landmark',
  'languages',
  'menu',
  'package',
  'plus',
  'receipt-text',
  'repeat',
  'scroll-text',
  'search',
  'shield-check',
  'shopping-cart',
  'split',
  'store',
  'ticket-percent',
  'users',
  'users-round',
  'webhook',
] as const;

export type Icon = (typeof ICONS)[number];

export const iconSprite = loadAsset('./browser/icons.svg', import.meta.url);

/** An icon in the colour and size of the text around it. It is decoration: a text beside it says what it means. */
export function icon(name: Icon): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="${iconSprite.path}#${name}"/></svg>`;
}
