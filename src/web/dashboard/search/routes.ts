import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { destinationsOf } from './destinations.ts';
import type { Found } from './found.ts';
import { objectsOf } from './objects.ts';

/** Longer texts are no name and no id. */
const MAX_LENGTH = 200;

/** The results of the command palette, and the page that replaces it without JavaScript. */
const search = dashboardRoute({
  method: 'GET',
  path: '/search',
  action: 'read',
  async handler(visit) {
    const { say, query } = visit;
    const text = (query.get('q') ?? '').trim().slice(0, MAX_LENGTH);
    const { pages, actions } = destinationsOf(visit, text);
    const objects = text === '' ? [] : await objectsOf(visit, text);
    const groups = [
      group(visit, say('dashboard.search.results'), objects),
      group(visit, say('dashboard.pages'), pages),
      group(visit, say('dashboard.search.actions'), actions),
    ].filter((shown) => shown !== null);
    const none = html`<p class="empty">${say('dashboard.search.nothingFound')}</p>`;
    const label = say('dashboard.search.whatToSearchFor');
    const body = html`<form class="search" role="search" method="get" action="${visit.path}">
<input name="q" value="${text}" aria-label="${label}" placeholder="${label}" maxlength="${MAX_LENGTH}">
<button class="button">${say('dashboard.search2')}</button>
</form>
<div id="search-results">${groups.length === 0 ? none : groups}</div>`;
    return page(visit, { title: say('dashboard.search'), active: null, body });
  },
});

function group(visit: Visit, title: string, found: readonly Found[]): Html | null {
  if (found.length === 0) return null;
  return html`<section class="results"><h2>${title}</h2>
<ul>${found.map(
    ({ path, icon: name, text, detail }) =>
      html`<li><a href="${visit.link(path)}">${icon(name)}<span>${text}</span>${detail !== undefined && html` <span class="soft">${detail}</span>`}</a></li>\n`,
  )}</ul></section>\n`;
}

export const searchPages: readonly DashboardRoute[] = [search];
