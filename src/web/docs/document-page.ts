import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId, type HeadingData } from 'marked-gfm-heading-id';
import { loadWholeStylesheet } from '../frame/asset-files.ts';
import { pageScript } from '../frame/assets.ts';
import { type Html, html, trustedMarkup } from '../frame/html.ts';
import { icon } from '../frame/icons.ts';
import { iconAndFont, logo } from '../frame/layout.ts';
import { type DocumentPage, FOLDERS, type Language, type Library } from './library.ts';
import { WORDS } from './words.ts';

/** The style of all documentation pages. */
export const documentStylesheet = loadWholeStylesheet('./document-page.css', import.meta.url);

/** Renders a document's Markdown; links are resolved relative to the document. */
function markedFor({ path, language }: DocumentPage): Marked {
  let blocks = 0;
  return new Marked(gfmHeadingId(), {
    renderer: {
      // Wide tables and lines of code scroll on their own, so they must be focusable by keyboard.
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
        return `<div class="wide" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>`;
      },
      code: ({ text }) => codeBlock(text, ++blocks, language).markup,
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = pageAddress(href, path);
        return target === null ? text : `<a href="${target.replaceAll('"', '&quot;')}">${text}</a>`;
      },
    },
  });
}

/** Code with a button that copies it. @param number of the block on its page. */
function codeBlock(text: string, number: number, language: Language): Html {
  const { copy, copied, select } = WORDS[language];
  return html`<div class="code"><pre tabindex="0"><code id="code-block-${number}">${text}</code></pre><button type="button" class="code__copy" title="${copy}" data-copy-of="code-block-${number}" data-copied="${copied}" data-copy-failed="${select}" hidden>${icon('copy')}<span class="visually-hidden" data-label>${copy}</span></button></div>
`;
}

/** The URL of a document's link: the page of a served document, null for a file that is not served. */
function pageAddress(href: string, from: string): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const { pathname } = new URL(file, `http://here/docs/${from}`);
  if (!pathname.startsWith('/docs/') || !pathname.endsWith('.md')) return null;
  return pathname.replace(/\.md$/, '') + (anchor === undefined ? '' : `#${anchor}`);
}

/** A page of the documentation as HTML, with links to all others. */
export function renderDocument(library: Library, page: DocumentPage): string {
  const { guides, reference, background } = library;
  const words = WORDS[page.language];
  const content = markedFor(page).parse(page.markdown, { async: false });
  const parts = getHeadingList().filter(({ level }) => level === 2);
  return html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Recebe</title>
${iconAndFont()}
<link rel="stylesheet" href="${documentStylesheet.path}">
<script src="${pageScript.path}" defer></script>
<link rel="alternate" type="text/markdown" href="/docs/${page.path}.md">
${alternate(library, page)}
</head>
<body>
<a class="skip" href="#text">${words.skip}</a>
${header(library, page)}
<div class="columns">
<nav class="nav" aria-label="${words.menu}">
${links(words.guides, guides[page.language], page, parts, true)}
${links(words.reference, reference, page, parts, true)}
${links(words.background, background, page, parts, false)}
</nav>
<main id="text" class="text" tabindex="-1">
${trustedMarkup(withAnchors(content))}
${turning(library, page)}
</main>
</div>
</body>
</html>
`.markup;
}

/** On a narrow screen the checkbox shows and hides the list of pages, without a script. */
function header(library: Library, page: DocumentPage): Html {
  const words = WORDS[page.language];
  const other = library.translation(page);
  return html`<header class="top">${logo(`/docs/${FOLDERS[page.language]}README`)}
<a class="top__file" href="/openapi.json">openapi.json</a>
<a class="top__file" href="/llms.txt">llms.txt</a>
${other !== undefined && html`<a href="/docs/${other.path}" hreflang="${other.language}" lang="${other.language}">${words.other}</a>`}
<input class="top__menu" type="checkbox" id="menu"><label class="top__menu-label" for="menu">${icon('menu')}<span class="visually-hidden">${words.menu}</span></label></header>`;
}

function alternate(library: Library, page: DocumentPage): Html | null {
  const other = library.translation(page);
  if (other === undefined) return null;
  return html`<link rel="alternate" hreflang="${other.language}" href="/docs/${other.path}">`;
}

/** A link in front of each heading, to copy its address. Screen readers list headings themselves. */
function withAnchors(content: string): string {
  return content.replace(
    /<h([23]) id="([^"]+)">/g,
    '$&<a class="anchor" href="#$2" aria-hidden="true" tabindex="-1"></a>',
  );
}

/** Links to the previous and next page of the same group. */
function turning(library: Library, page: DocumentPage): Html | null {
  const words = WORDS[page.language];
  const [previous, next] = library.neighbours(page);
  if (previous === undefined && next === undefined) return null;
  return html`<nav class="turn" aria-label="${words.previous}, ${words.next}">
${previous !== undefined && html`<a rel="prev" href="/docs/${previous.path}"><span>${words.previous}</span>${previous.title}</a>`}
${next !== undefined && html`<a rel="next" href="/docs/${next.path}"><span>${words.next}</span>${next.title}</a>`}
</nav>`;
}

type Part = Pick<HeadingData, 'id' | 'text'>;

/** Pages by title, with the sections of the current one. */
function links(
  title: string,
  pages: readonly DocumentPage[],
  current: DocumentPage,
  parts: readonly Part[],
  isMain: boolean,
): Html {
  const items = pages.map((page) =>
    page === current
      ? html`<li><a class="nav__link" href="/docs/${page.path}" aria-current="page">${page.title}</a>
<ul>${parts.map(({ id, text }) => html`<li><a class="nav__link" href="#${id}">${trustedMarkup(text)}</a></li>`)}</ul></li>\n`
      : html`<li><a class="nav__link" href="/docs/${page.path}">${page.title}</a></li>\n`,
  );
  const isOpen = isMain || pages.includes(current);
  return html`<details${isOpen && html` open`}><summary>${title}</summary><ul>${items}</ul></details>`;
}
