import { fontAsset, type PageAsset } from './asset-files.ts';
import { accentStylesheetPath, pageIcon, pageScript, pageStylesheet } from './assets.ts';
import { type Html, html } from './html.ts';
import { currentLanguage, localeOf, say } from './language.ts';

/** A script that runs once the document is parsed, in the order of the page. */
export interface PageScript {
  /** Or the URL of another origin, which the page's content security policy must allow. */
  readonly path: string;
  /** A module shares no names with the other scripts of its page. */
  readonly isModule?: boolean;
}

/** The parts that differ between pages; the layout adds the document. */
export interface PageLayout {
  /** Title of the tab and of the printed file. */
  readonly title: string;
  /** Stylesheets in addition to the common one. */
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

/** A complete HTML document in the page's language. */
export function renderLayout(layout: PageLayout): string {
  const {
    title,
    stylesheets,
    scripts = [],
    devModeNotice,
    refreshWithoutScriptSeconds = null,
    leavesTo = null,
    accentColor = null,
    preview = null,
    body,
  } = layout;
  return html`<!doctype html>
<html lang="${localeOf(currentLanguage())}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
${preview !== null && renderPreview(preview)}
${iconAndFont()}
${[pageStylesheet, ...stylesheets].map(({ path }) => html`<link rel="stylesheet" href="${path}">\n`)}
${accentColor !== null && html`<link rel="stylesheet" href="${accentStylesheetPath(accentColor)}">`}
${[pageScript, ...scripts].map(renderScript)}
${
  refreshWithoutScriptSeconds !== null &&
  html`<noscript><meta http-equiv="refresh" content="${refreshWithoutScriptSeconds}"></noscript>`
}
${leavesTo !== null && html`<meta http-equiv="refresh" content="0;url=${leavesTo}">`}
</head>
<body>
${devModeNotice !== null && html`<aside class="dev-banner" aria-label="${say('payer.testEnvironment')}">${devModeNotice}</aside>`}
${body}
</body>
</html>
`.markup;
}

function renderScript({ path, isModule = false }: PageScript): Html {
  return isModule
    ? html`<script src="${path}" type="module"></script>\n`
    : html`<script src="${path}" defer></script>\n`;
}

/** The tab's icon, and the font, which is requested before the stylesheet that names it has arrived. */
export function iconAndFont(): Html {
  return html`<link rel="icon" type="image/svg+xml" href="${pageIcon.path}">
<link rel="preload" as="font" type="font/woff2" href="${fontAsset.path}" crossorigin>`;
}

/** Our mark and name, as a link. */
export function logo(href: string): Html {
  return html`<a class="logo" href="${href}"><img src="${pageIcon.path}" alt="" width="28" height="28"><span>Recebe</span></a>`;
}

function renderPreview({ siteName, title, description, imageUrl }: LinkPreview): Html {
  const properties = { type: 'website', site_name: siteName, title, description, image: imageUrl };
  return html`${Object.entries(properties).map(([name, text]) => text !== null && html`<meta property="og:${name}" content="${text}">\n`)}`;
}
