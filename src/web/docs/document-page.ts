import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId, type HeadingData } from 'marked-gfm-heading-id';
import { loadWholeStylesheet } from '../frame/asset-files.ts';
import { type Html, html, trustedMarkup } from '../frame/html.ts';
import { type DocumentPage, FOLDERS, type Language, type Library } from './library.ts';

/** The style of all documentation pages. */
export const documentStylesheet = loadWholeStylesheet('./document-page.css', import.meta.url);

/** Renders a document's Markdown; links are resolved relative to the document. */
function markedFor({ path }: DocumentPage): Marked {
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
      code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.markup,
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = pageAddress(href, path);
        return target === null ? text : `<a href="${target.replaceAll('"', '&quot;')}">${text}</a>`;
      },
    },
  });
}

/** The URL of a document's link: the page of a served document, null for a file that is not served. */
function pageAddress(href: string, from: string): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const { pathname } = new URL(file, `http://here/docs/${from}`);
  if (!pathname.startsWith('/docs/') || !pathname.endsWith('.md')) return null;
  return pathname.replace(/\.md$/, '') + (anchor === undefined ? '' : `#${anchor}`);
}

const WORDS: Readonly<
  Record<Language, Readonly<Record<'pages' | 'guides' | 'other' | 'reference' | 'background', string>>>
> = {
  en: {
    pages: 'Pages',
    guides: 'Guides',
    other: 'Português',
    reference: 'Reference',
    background: 'Background',
  },
  'pt-BR': {
    pages: 'Páginas',
    guides: 'Guias',
    other: 'English',
    reference: 'Referência',
    background: 'Mais a fundo',
  },
};

/** A page of the documentation as HTML, with links to all others. */
export function renderDocument(library: Library, page: DocumentPage): string {
  const { guides, reference, background } = library;
  const words = WORDS[page.language];
  const other = library.translation(page);
  const content = markedFor(page).parse(page.markdown, { async: false });
  const parts = getHeadingList().filter(({ level }) => level === 2);
  return html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Recebe</title>
<link rel="stylesheet" href="${documentStylesheet.path}">
<link rel="alternate" type="text/markdown" href="/docs/${page.path}.md">
${other !== undefined && html`<link rel="alternate" hreflang="${other.language}" href="/docs/${other.path}">`}
</head>
<body>
<header><a href="/docs/${FOLDERS[page.language]}README">Recebe</a> <a href="#navigation">${words.pages}</a> <a href="/openapi.json">openapi.json</a> <a href="/llms.txt">llms.txt</a>${other !== undefined && html` <a href="/docs/${other.path}" hreflang="${other.language}" lang="${other.language}">${words.other}</a>`}</header>
<div class="columns">
<main>
${trustedMarkup(content)}
</main>
<nav id="navigation" aria-label="Documentation">
${links(words.guides, guides[page.language], page, parts, true)}
${links(words.reference, reference, page, parts, true)}
${links(words.background, background, page, parts, false)}
</nav>
</div>
</body>
</html>
`.markup;
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
      ? html`<li><a href="/docs/${page.path}" aria-current="page">${page.title}</a>
<ul>${parts.map(({ id, text }) => html`<li><a href="#${id}">${trustedMarkup(text)}</a></li>`)}</ul></li>\n`
      : html`<li><a href="/docs/${page.path}">${page.title}</a></li>\n`,
  );
  const isOpen = isMain || pages.includes(current);
  return html`<details${isOpen && html` open`}><summary>${title}</summary><ul>${items}</ul></details>`;
}
