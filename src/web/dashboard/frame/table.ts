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
  const cells = isLinked ? row.cells : row;
  const look = (cell: Shown, index: number) =>
    isLinked && index === 0 ? html`<a class="row__link" href="${row.href}">${cell}</a>` : cell;
  return html`<tr role="row"${isLinked && html` class="row--linked"`}>${cells.map((cell, index) => renderCell(look(cell, index), labels[index], fitOf(cell, isLinked)))}</tr>\n`;
}

/** A longer word may be broken, so that a few of them do not make a table wider than the page. */
const LONG_WORD = /\S{25}/;
/** A longer text is cut in a row whose page has all of it, such as the products of a large order. */
const LONGEST_TEXT = 120;

/** The class of a text that would take too much of its table. */
function fitOf(cell: Shown, isLinked: boolean): Html | null {
  if (typeof cell !== 'string') return null;
  const isCut = isLinked && cell.length > LONGEST_TEXT;
  if (!isCut && !LONG_WORD.test(cell)) return null;
  return html` class="long${isCut && ' long--cut'}"`;
}

/** A column without a heading holds buttons. In others nothing is a dash, so that nobody takes it for a mistake. */
function renderCell(cell: Shown, label: Html | undefined, fit: Html | null): Html {
  if (label === undefined || label.markup === '')
    return html`<td role="cell">${cell !== '' && html`<div${fit}>${cell}</div>`}</td>`;
  return html`<td role="cell" data-label="${label}"><div${fit}>${cell === '' ? '–' : cell}</div></td>`;
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
