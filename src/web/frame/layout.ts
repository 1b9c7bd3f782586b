import { baseStylesheet, fontAsset, type PageAsset } from './asset-files.ts';
import { pageIcon, pageScript } from './assets.ts';
import { type Html, html } from './html.ts';

/** A script that runs once the document is parsed, in the order of the page. */
export interface PageScript {
  /** Or the URL of another origin, which the page's content security policy must allow. */
  readonly path: string;
  /** A module shares no names with the other scripts of its page. A script `before-paint` delays the page. */
  readonly runs?: 'as-module' | 'before-paint';
}

/** The parts that differ between pages; the layout adds the document. */
export interface PageLayout {
  /** A language tag, such as `pt-BR`. */
  readonly language: string;
  /** Title of the tab and of the printed file. */
  readonly title: string;
  /** Stylesheets in addition to the common one. */
  readonly stylesheets: readonly Pick<PageAsset, 'path'>[];
  /** Scripts in addition to the common one. */
  readonly scripts?: readonly PageScript[];
  /** Search engines index and follow public pages only. */
  readonly isPublic?: true;
  /** Further elements of the head. */
  readonly head?: Html;
  /** The class of the body. */
  readonly kind?: string;
  readonly body: Html;
}

/** A complete HTML document: the frame of the payers' pages, the dashboard and the documentation. */
export function renderLayout(layout: PageLayout): string {
  const { language, title, stylesheets, scripts = [], isPublic = false, head, kind, body } = layout;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${!isPublic && html`<meta name="robots" content="noindex, nofollow">`}
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${pageIcon.path}">
<link rel="preload" as="font" type="font/woff2" href="${fontAsset.path}" crossorigin>
${[baseStylesheet, ...stylesheets].map(({ path }) => html`<link rel="stylesheet" href="${path}">\n`)}
${[pageScript, ...scripts].map(renderScript)}
${head ?? null}
</head>
<body${kind !== undefined && html` class="${kind}"`}>
${body}
</body>
</html>
`.markup;
}

function renderScript({ path, runs }: PageScript): Html {
  if (runs === 'as-module') return html`<script src="${path}" type="module"></script>\n`;
  return html`<script src="${path}"${runs === undefined && html` defer`}></script>\n`;
}

/** Our mark and name, as a link. */
export function logo(href: string): Html {
  return html`<a class="logo" href="${href}">${MARK}</a>`;
}

/** The same on pages of payers, which have nowhere to go. */
export function mark(): Html {
  return html`<p class="logo">${MARK}</p>`;
}

const MARK = html`<img src="${pageIcon.path}" alt="" width="28" height="28"><span>Recebe</span>`;
