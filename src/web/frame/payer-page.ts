import type { PageAsset } from './asset-files.ts';
import { accentStylesheetPath, pageStylesheet } from './assets.ts';
import { type Html, html } from './html.ts';
import { currentLanguage, localeOf, say } from './language.ts';
import { type PageScript, renderLayout } from './layout.ts';

/** What differs between the pages for payers. */
export interface PayerPage {
  /** Title of the tab and of the printed file. */
  readonly title: string;
  /** Stylesheets in addition to that of all these pages. */
  readonly stylesheets: readonly PageAsset[];
  /** Scripts in addition to the common one. */
  readonly scripts?: readonly PageScript[];
  /** A banner, on the screen and on paper, against mistaking a simulated charge for a real one. */
  readonly devModeNotice: string | Html | null;
  /** The reload interval without script; null if the page does not change. */
  readonly refreshWithoutScriptSeconds?: number | null;
  /** Where the browser goes at once, with or without script; null to stay. */
  readonly leavesTo?: string | null;
  /** The store's colour, `#rrggbb`; null for the default. */
  readonly accentColor?: string | null;
  /** The preview of a shared link. */
  readonly preview?: LinkPreview | null;
  readonly body: Html;
}

/** Open Graph properties (https://ogp.me), which messengers read. */
export interface LinkPreview {
  readonly siteName: string;
  readonly title: string;
  readonly description: string;
  readonly imageUrl: string | null;
}

/** A page for payers, in their language and the store's colour. */
export function renderPayerPage(page: PayerPage): string {
  const { title, stylesheets, scripts = [], devModeNotice, accentColor = null, body } = page;
  const { refreshWithoutScriptSeconds = null, leavesTo = null, preview = null } = page;
  const accent = accentColor === null ? [] : [{ path: accentStylesheetPath(accentColor) }];
  return renderLayout({
    language: localeOf(currentLanguage()),
    title,
    stylesheets: [pageStylesheet, ...stylesheets, ...accent],
    scripts,
    head: html`<meta name="format-detection" content="telephone=no">
${preview !== null && renderPreview(preview)}
${
  refreshWithoutScriptSeconds !== null &&
  html`<noscript><meta http-equiv="refresh" content="${refreshWithoutScriptSeconds}"></noscript>`
}
${leavesTo !== null && html`<meta http-equiv="refresh" content="0;url=${leavesTo}">`}`,
    body: html`${devModeNotice !== null && html`<aside class="dev-banner" aria-label="${say('payer.testEnvironment')}">${devModeNotice}</aside>`}
${body}`,
  });
}

function renderPreview({ siteName, title, description, imageUrl }: LinkPreview): Html {
  const properties = { type: 'website', site_name: siteName, title, description, image: imageUrl };
  return html`${Object.entries(properties).map(([name, text]) => text !== null && html`<meta property="og:${name}" content="${text}">\n`)}`;
}
