import type { Pagination } from '../../../api/frame/pagination.ts';
import type { CustomerNamedBy } from '../../../domain/payer.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { dayText, exactTimeText, timeText } from '../../i18n/dates.ts';
import type { Shown } from './table.ts';
import type { Visit } from './visit.ts';

/** A section of a page with its own heading. */
export function section(title: string, body: Html): Html {
  return html`<section class="panel"><h2>${title}</h2>
${body}</section>`;
}

/** A word or two that stand alone, so they start with a capital even if sentences use them too. */
export function badge(kind: 'good' | 'bad' | 'waiting' | 'plain', text: string): Html {
  return html`<span class="badge badge--${kind}">${text.charAt(0).toUpperCase()}${text.slice(1)}</span>`;
}

type When = Date | string;

/** When something happened, to the minute in São Paulo, in the reader's language. */
export function time({ locale }: Pick<Visit, 'locale'>, at: When): Html {
  return timeTag(at, timeText(locale, at));
}

/** The same to the second, for attempts and logs. */
export function exactTime({ locale }: Pick<Visit, 'locale'>, at: When): Html {
  return timeTag(at, exactTimeText(locale, at));
}

/** The day of an instant whose time says nothing to people, such as the next charge of a subscription. */
export function day({ locale }: Pick<Visit, 'locale'>, at: When): Html {
  return timeTag(at, dayText(locale, at));
}

function timeTag(at: When, text: string): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${text}</time>`;
}

/** Links to the previous and next page of a list. Keeps the filters of the URL. */
export function pager(visit: Visit, { next, before }: Pick<Pagination, 'next' | 'before'>): Html | null {
  if (next === null && before === null) return null;
  const to = (name: 'after' | 'before', cursor: string) => {
    const query = new URLSearchParams(visit.query);
    query.delete('after');
    query.delete('before');
    query.set(name, cursor);
    return `${visit.path}?${query}`;
  };
  const { say } = visit;
  const [older, newer] = [say('dashboard.frame.older'), say('dashboard.frame.newer')];
  const isTurned = visit.query.get('order') === 'oldest';
  return html`<nav class="pager" aria-label="${say('dashboard.pages')}">
${before !== null && html`<a class="button button--quiet" href="${to('before', before)}" rel="prev">${isTurned ? older : newer}</a>`}
${next !== null && html`<a class="button button--quiet" href="${to('after', next)}" rel="next">${isTurned ? newer : older}</a>`}
</nav>`;
}

/** The filters of a list, as a GET form: its URL can be bookmarked and shared. */
export function filters(visit: Visit, fields: Html): Html {
  const { say } = visit;
  return html`<form class="filters" method="get" action="${visit.path}">
${fields}
<button class="button button--quiet">${say('dashboard.frame.filter')}</button>
${visit.query.size > 0 && html`<a href="${visit.path}">${say('dashboard.frame.clear')}</a>`}
</form>`;
}

/** Text with a copy button; a tap selects all of it. @param id of the element on the page. */
export function copyable(visit: Pick<Visit, 'say'>, id: string, text: string): Html {
  const { say } = visit;
  return html`<p class="copy"><code id="${id}">${text}</code> <button type="button" class="button button--quiet" data-copy-of="${id}" data-copied="${say('dashboard.frame.copied')}" data-copy-failed="${say('dashboard.frame.selectAndCopyIt')}" hidden>${say('dashboard.frame.copy')}</button></p>`;
}

/** An id or a link with a small button that copies it. */
export function copyChip({ say }: Pick<Visit, 'say'>, text: string): Html {
  return html`<span class="chip"><code>${text}</code>${copyButton({ say }, text)}</span>`;
}

/** A small button that copies a text which the page does not show. */
export function copyButton({ say }: Pick<Visit, 'say'>, text: string): Html {
  const label = say('dashboard.frame.copy');
  return html`<button type="button" class="copy-icon" title="${label}" data-copy="${text}" data-copied="${say('dashboard.frame.copied')}" data-copy-failed="${say('dashboard.frame.selectAndCopyIt')}" hidden>${icon('copy')}<span class="visually-hidden" data-label>${label}</span></button>`;
}

/** A link to a guide of the documentation, in the reader's language. */
export function guideLink({ locale }: Pick<Visit, 'locale'>, guide: string, text: string): Html {
  return html`<a href="/docs/${locale === 'en' ? '' : 'pt/'}guides/${guide}">${text}</a>`;
}

/** A link to a page of this store and environment. */
export function link(visit: Visit, path: string, text: Shown): Html {
  return html`<a href="${visit.link(path)}">${text}</a>`;
}

/** The same for a page with the form of an action, which looks like the buttons beside it. Red leads to what `form` shows in red. */
export function linkButton(
  visit: Visit,
  path: string,
  text: Shown,
  style: 'quiet' | 'danger' = 'quiet',
): Html {
  return html`<a class="button button--${style}" href="${visit.link(path)}">${text}</a>`;
}

interface NamedCustomer {
  readonly customerId: string;
  readonly customerNamedBy: CustomerNamedBy | null;
}

/** A customer's name with a link to them. If a payer named them, it says so: the payer may have typed another's tax id. */
export function customerLink(
  visit: Visit,
  { customerId, customerNamedBy }: NamedCustomer,
  name: string,
): Html {
  const shown = link(visit, `/customers/${customerId}`, name);
  if (customerNamedBy !== 'PAYER') return shown;
  return html`${shown} <span class="customer-source">${visit.say('dashboard.customerNamedByPayer')}</span>`;
}
