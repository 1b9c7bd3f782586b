import type { HeadingData } from 'marked-gfm-heading-id';
import { loadAsset } from '../frame/asset-files.ts';
import { type Html, html, trustedMarkup } from '../frame/html.ts';
import { icon } from '../frame/icons.ts';
import { logo, renderLayout } from '../frame/layout.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { translate } from '../i18n/translate.ts';
import { type DocumentPage, FOLDERS, type Library } from './library.ts';
import type { Rendered } from './markdown.ts';
import { searchForm } from './search-page.ts';
import { tryItScript, tryItWords } from './try-it.ts';

/** The address of the search page below `/docs/`. */
export const SEARCH_PATH = 'search';

/** The style of all documentation pages. */
export const documentStylesheet = loadAsset('./document-page.css', import.meta.url);

/** Reads the chosen language of examples before the page is shown. */
export const choiceScript = loadAsset('./browser/choice.js', import.meta.url);

/** Search as someone types; pages work without it. */
export const documentScript = loadAsset('./browser/docs.js', import.meta.url);

/** A page of the documentation as HTML, with links to all others. */
export function renderDocument(library: Library, page: DocumentPage, rendered: Rendered): string {
  const { guides, reference, background } = library;
  const say = (key: MessageKey) => translate(page.language, key);
  const isListed = library.page(page.path) === page;
  const isGrouped = [guides[page.language], reference, background].some((pages) => pages.includes(page));
  const parts = rendered.headings.filter(({ level }) => level === 2);
  return renderLayout({
    language: page.language,
    title: `${page.title} · Recebe`,
    stylesheets: [documentStylesheet],
    scripts: [
      { path: choiceScript.path, runs: 'before-paint' },
      documentScript,
      ...(page.trialOf === undefined ? [] : [tryItScript]),
    ],
    isPublic: true,
    head: html`${isListed && html`<link rel="alternate" type="text/markdown" href="/docs/${page.path}.md">`}
${alternate(library, page)}`,
    body: html`<a class="skip" href="#text">${say('docs.skip')}</a>
${header(library, page)}
<div class="columns">
<nav class="nav" aria-label="${say('docs.pages')}">
${links(say('docs.guides'), guides[page.language], page, parts, !isGrouped)}
${links(say('docs.reference'), reference, page, parts, !isGrouped)}
${links(say('docs.background'), background, page, parts, false)}
</nav>
<main id="text" class="text" tabindex="-1">
${trustedMarkup(rendered.content)}
${page.trialOf !== undefined && tryItWords(page.language)}
${turning(library, page)}
</main>
</div>`,
  });
}

/** On a narrow screen the checkbox shows and hides the list of pages, without a script. */
function header(library: Library, page: DocumentPage): Html {
  const say = (key: MessageKey) => translate(page.language, key);
  const other = library.translation(page);
  return html`<header class="top">${logo(`/docs/${FOLDERS[page.language]}README`)}
${page.path === SEARCH_PATH ? html`<span class="top__room"></span>` : searchForm(page.language)}
<a class="top__file" href="/openapi.json">openapi.json</a>
<a class="top__file" href="/llms.txt">llms.txt</a>
${other !== undefined && html`<a href="/docs/${other.path}?lang=${other.language}" hreflang="${other.language}" lang="${other.language}">${say('docs.otherLanguage')}</a>`}
${page.path !== SEARCH_PATH && html`<a class="top__search" href="/docs/search?lang=${page.language}" title="${say('docs.search')}">${icon('search')}<span class="visually-hidden">${say('docs.search')}</span></a>`}
<input class="top__menu" type="checkbox" id="menu"><label class="top__menu-label" for="menu">${icon('menu')}<span class="visually-hidden">${say('docs.pages')}</span></label></header>`;
}

function alternate(library: Library, page: DocumentPage): Html | null {
  const other = library.translation(page);
  if (other === undefined) return null;
  return html`<link rel="alternate" hreflang="${other.language}" href="/docs/${other.path}">`;
}

/** Links to the previous and next page of the same group. */
function turning(library: Library, page: DocumentPage): Html | null {
  const before = translate(page.language, 'docs.previous');
  const after = translate(page.language, 'docs.next');
  const [previous, next] = library.neighbours(page);
  if (previous === undefined && next === undefined) return null;
  return html`<nav class="turn" aria-label="${before}, ${after}">
${previous !== undefined && html`<a rel="prev" href="/docs/${previous.path}"><span>${before}</span>${previous.title}</a>`}
${next !== undefined && html`<a rel="next" href="/docs/${next.path}"><span>${after}</span>${next.title}</a>`}
</nav>`;
}

type Part = Pick<HeadingData, 'id' | 'text'>;

/** Pages by title, with the sections of the current one. Other groups are folded, so that it is in sight. */
function links(
  title: string,
  pages: readonly DocumentPage[],
  current: DocumentPage,
  parts: readonly Part[],
  isOpened: boolean,
): Html {
  const items = pages.map((page) =>
    page === current
      ? html`<li><a class="nav__link" href="/docs/${page.path}" aria-current="page">${page.title}</a>
<ul>${parts.map(({ id, text }) => html`<li><a class="nav__link" href="#${id}">${trustedMarkup(text)}</a></li>`)}</ul></li>\n`
      : html`<li><a class="nav__link" href="/docs/${page.path}">${page.title}</a></li>\n`,
  );
  const isOpen = isOpened || pages.includes(current);
  return html`<details${isOpen && html` open`}><summary class="folds">${title}</summary><ul>${items}</ul></details>`;
}
