import { type PageAsset, pageIcon, pageScript, pageStylesheet } from './assets.ts';
import { type Html, html } from './html.ts';

/** What differs between pages; the layout adds the document around it. */
export interface PageLayout {
  /** Title of the tab and of the printed file. */
  readonly title: string;
  /** Stylesheets besides the one that every page has. */
  readonly stylesheets: readonly PageAsset[];
  /** Marks what must not be mistaken for a real charge, on the screen and on paper. */
  readonly devModeNotice: string | null;
  readonly body: Html;
}

/** A complete HTML document in Portuguese. */
export function renderLayout({ title, stylesheets, devModeNotice, body }: PageLayout): string {
  return html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${pageIcon.path}">
${[pageStylesheet, ...stylesheets].map(({ path }) => html`<link rel="stylesheet" href="${path}">\n`)}
<script src="${pageScript.path}" defer></script>
</head>
<body>
${devModeNotice !== null && html`<p class="dev-banner" role="note">${devModeNotice}</p>`}
${body}
</body>
</html>
`.markup;
}
