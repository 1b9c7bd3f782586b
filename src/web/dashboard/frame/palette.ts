import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import type { Visit } from './visit.ts';

/** The button of the command palette in the header. Without JavaScript it is a link to the page with the same search. */
export function paletteButton(visit: Visit): Html | null {
  const { say, lacksSecondFactor } = visit;
  if (lacksSecondFactor) return null;
  return html`<a class="button button--quiet bar__search" role="button" aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" data-opens="palette" href="${visit.link('/search')}">${icon('search')}<span class="bar__search-label">${say('dashboard.frame.search')}</span> <kbd>Ctrl K</kbd></a>`;
}

/** The palette itself, at the end of the page. The script fills in its results from the page of the search. */
export function palette(visit: Visit): Html | null {
  const { say, lacksSecondFactor } = visit;
  if (lacksSecondFactor) return null;
  const label = say('dashboard.frame.pagesActionsCustomersProductsPayments');
  return html`<dialog class="dialog palette" id="palette" aria-label="${say('dashboard.search')}" closedby="any">
<form class="search" role="search" method="get" action="${visit.link('/search')}">
<input name="q" aria-label="${label}" placeholder="${label}" autocomplete="off" maxlength="200" autofocus>
</form>
<div data-palette-results aria-live="polite"></div>
</dialog>`;
}
