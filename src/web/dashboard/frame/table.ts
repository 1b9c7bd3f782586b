import { Html, html, trustedMarkup } from '../../frame/html.ts';
import { type Icon, icon } from '../../frame/icons.ts';

export type Shown = string | Html;

/** A row that is a link to the page about what it shows. The link is the text of its first cell. */
export interface LinkedRow {
  readonly href: string;
  readonly cells: readonly Shown[];
}

/** The heading of the column that a list is ordered by, as a link that turns the order around. */
export interface SortHeading {
  readonly text: string;
  readonly order: 'newest' | 'oldest';
  readonly href: string;
}

export type Heading = Shown | SortHeading;

export type Row = readonly Shown[] | LinkedRow;

/**
 * A table with a head that stays in view, whose rows are cards on a narrow screen; a text if it has no rows. The link of a row covers
 * it but lies under its texts, so they can be selected; a click on them follows the link too (`browser/rows.js`).
 */
export function table(given: {
  /** Describes the table to screen readers. */
  readonly caption: string;
  readonly headings: readonly Heading[];
  readonly rows: readonly Row[];
  readonly empty: Shown;
}): Html {
  const { caption, headings, rows, empty } = given;
  if (rows.length === 0) return empty instanceof Html ? empty : html`<p class="empty">${empty}</p>`;
  const labels = headings.map(labelOf);
  // As cards, the elements of a table are no longer shown as one, so browsers need their roles.
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table role="table">
<thead role="rowgroup"><tr role="row">${headings.map(renderHeading)}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => renderRow(row, labels))}</tbody>
</table></div>`;
}

function renderHeading(heading: Heading): Html {
  if (heading === '') return html`<td role="cell"></td>`;
  if (typeof heading === 'string' || heading instanceof Html)
    return html`<th scope="col" role="columnheader">${heading}</th>`;
  const { text, order, href } = heading;
  const [direction, arrow] =
    order === 'newest' ? (['descending', 'arrow-down'] as const) : (['ascending', 'arrow-up'] as const);
  return html`<th scope="col" role="columnheader" aria-sort="${direction}"><a class="sort" href="${href}">${text} ${icon(arrow)}</a></th>`;
}

/** The text of a heading, shown before each value of a card. */
function labelOf(heading: Heading): Html {
  if (typeof heading === 'object' && 'text' in heading) return html`${heading.text}`;
  return heading instanceof Html ? trustedMarkup(heading.markup.replace(/<[^<>]*>/g, '')) : html`${heading}`;
}

function renderRow(row: Row, labels: readonly Html[]): Html {
  const isLinked = 'cells' in row;
  const [first = '', ...others] = isLinked ? row.cells : row;
  const lead = isLinked ? html`<a class="row__link" href="${row.href}">${first}</a>` : first;
  return html`<tr role="row"${isLinked && html` class="row--linked"`}>${[lead, ...others].map((cell, index) => renderCell(cell, labels[index]))}</tr>\n`;
}

function renderCell(cell: Shown, label: Html | undefined): Html {
  const hasLabel = label !== undefined && label.markup !== '';
  return html`<td role="cell"${hasLabel && html` data-label="${label}"`}>${cell !== '' && html`<div>${cell}</div>`}</td>`;
}

/** What a list says while it is empty: what would be in it, and what to do next. */
export function emptyState(given: {
  readonly icon: Icon;
  readonly title: string;
  readonly text: Shown;
  /** A link or a button. */
  readonly action?: Html;
}): Html {
  const { title, text, action } = given;
  return html`<div class="empty empty--list">${icon(given.icon)}
<p class="empty__title">${title}</p>
<p class="empty__text">${text}</p>
${action !== undefined && action}</div>`;
}
