import { type Html, html } from '../frame/html.ts';
import { translate } from '../i18n/translate.ts';
import { type DocumentPage, FOLDERS } from './library.ts';
import type { SearchResult } from './search-index.ts';
import { resultItems } from './search-page.ts';

/** What a wrong address shows, in the language of its folder. */
export function missingPage(path: string): DocumentPage {
  const language = path.startsWith(FOLDERS['pt-BR']) ? 'pt-BR' : 'en';
  const title = translate(language, 'docs.noSuchPage');
  const markdown = `# ${title}\n\n- [${translate(language, 'docs.guides')}](/docs/${FOLDERS[language]}README.md)\n`;
  return { path: `404.${language}`, title, markdown, language };
}

/** The same as HTML, with what its words find. The search is in the head of the page. */
export function missingContent({ title, language }: DocumentPage, nearest: readonly SearchResult[]): Html {
  return html`<h1>${title}</h1>
<p>${translate(language, 'docs.noSuchPageMeans')}</p>
<p><a href="/docs/${FOLDERS[language]}README">${translate(language, 'docs.allGuides')}</a></p>
${nearest.length > 0 && html`<h2>${translate(language, 'docs.nearest')}</h2>\n${resultItems(nearest)}`}`;
}
