import { facts } from '../../frame/facts.ts';
import { type Html, html } from '../../frame/html.ts';
import { page } from './layout.ts';
import type { NavigationId } from './navigation.ts';
import type { Reply } from './route.ts';
import type { Shown } from './table.ts';
import type { Visit } from './visit.ts';

/** One card beside a page's sections. */
export interface SideCard {
  readonly title: string;
  /** Null rows are left out. */
  readonly rows: readonly (readonly [name: string, value: Shown] | null)[];
  /** Below the rows, such as buttons. */
  readonly below?: Html | null;
}

/**
 * The page of one object: what happened and its sections in the main column, its facts in cards on the side; on a phone the cards come
 * after the main column.
 */
export function detailPage(
  visit: Visit,
  given: {
    readonly title: string;
    readonly active: NavigationId;
    /** Beside the title: a badge with the state. */
    readonly state?: Html;
    /** Buttons of the main actions. */
    readonly actions?: Html;
    /** Sections, made with `section`. */
    readonly main: Html;
    readonly cards: readonly SideCard[];
  },
): Reply {
  const { title, active, state, actions, main, cards } = given;
  const body = html`<div class="detail">
<div class="detail__main">${main}</div>
<aside class="detail__side" aria-label="${visit.say('dashboard.details')}">${cards.map(sideCard)}</aside>
</div>`;
  return page(visit, {
    ...{ title, active, body },
    ...(state !== undefined && { state }),
    ...(actions !== undefined && { actions }),
  });
}

function sideCard({ title, rows, below }: SideCard): Html {
  return html`<section class="card"><h2>${title}</h2>
${facts(rows.filter((row) => row !== null))}
${below ?? null}</section>\n`;
}
