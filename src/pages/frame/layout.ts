import { accentStylesheetPath, type PageAsset, pageIcon, pageScript, pageStylesheet } from './assets.ts';
import { type Html, html } from './html.ts';
import { currentLanguage, localeOf, say } from './language.ts';

/** What differs between pages; the layout adds the document around it. */
export interface PageLayout {
  /** Title of the tab and of the printed file. */
  readonly title: string;
  /** Stylesheets besides the one that every page has. */
  readonly stylesheets: readonly PageAsset[];
  /** Scripts besides the one that every page has. */
  readonly scripts?: readonly PageAsset[];
  /** Marks what must not be mistaken for a real charge, on the screen and on paper. */
  readonly devModeNotice: string | Html | null;
  /** Reloads the page this often where no script does it; null where nothing on it changes by itself. */
  readonly refreshWithoutScriptSeconds?: number | null;
  /** The store's colour, `#rrggbb`; null for ours. */
  readonly accentColor?: string | null;
  /** What messengers show of a link to the page. */
  readonly preview?: LinkPreview | null;
  readonly body: Html;
}

/** Open Graph's properties (https://ogp.me), which messengers read. */
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
<link rel="icon" type="image/svg+xml" href="${pageIcon.path}">
${[pageStylesheet, ...stylesheets].map(({ path }) => html`<link rel="stylesheet" href="${path}">\n`)}
${accentColor !== null && html`<link rel="stylesheet" href="${accentStylesheetPath(accentColor)}">`}
${[pageScript, ...scripts].map(({ path }) => html`<script src="${path}" defer></script>\n`)}
${
  refreshWithoutScriptSeconds !== null &&
  html`<noscript><meta http-equiv="refresh" content="${refreshWithoutScriptSeconds}"></noscript>`
}
</head>
<body>
${devModeNotice !== null && html`<aside class="dev-banner" aria-label="${say('Ambiente de teste')}">${devModeNotice}</aside>`}
${body}
</body>
</html>
`.markup;
}

function renderPreview({ siteName, title, description, imageUrl }: LinkPreview): Html {
  const properties = { type: 'website', site_name: siteName, title, description, image: imageUrl };
  return html`${Object.entries(properties).map(([name, text]) => text !== null && html`<meta property="og:${name}" content="${text}">\n`)}`;
}
