import { scaleBand, scaleLinear } from 'd3-scale';
import { type Html, html } from '../../frame/html.ts';
import { table } from '../frame/table.ts';
import type { BarPlot } from './plot.ts';
import { plotTips } from './plot-tips.ts';

/** In units of the drawing, which scales to the page. */
const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 74;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 26;
const TICKS = 4;

/**
 * Rendered on the server and without inline styles, because the pages' policy forbids them. Each bar shows its values to pointers
 * and keyboards, and a table below the plot shows all of them. A plot
 * without values says so.
 */
export function renderBarPlot(plot: BarPlot): Html {
  const { id, title, series, words } = plot;
  if (series.every(({ values }) => values.every((value) => value === 0)))
    return html`<figure class="plot"><figcaption class="plot__caption"><span class="plot__title">${title}</span></figcaption>
<p class="empty">${words.empty}</p></figure>`;
  const legend = series.map(
    ({ name, colour }) =>
      html`<li><svg class="plot__key" viewBox="0 0 10 10" aria-hidden="true"><rect class="plot__bar bar-of-${colour}" width="10" height="10" rx="2"/></svg>${name}</li>`,
  );
  return html`<figure class="plot" aria-labelledby="${id}-title">
<figcaption class="plot__caption"><span id="${id}-title" class="plot__title">${title}</span>
<ul class="plot__legend">${legend}</ul></figcaption>
<div class="plot__area">${drawing(plot)}
${plotTips(plot)}</div>
${tableOf(plot)}
</figure>`;
}

function drawing({ id, bars, series, formatTick }: BarPlot): Html {
  const sums = bars.map((_, index) => endsOf(series.map(({ values }) => values[index] ?? 0)));
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([LEFT, WIDTH - RIGHT])
    .padding(0.2);
  const y = scaleLinear()
    .domain([
      Math.min(0, ...sums.map(({ below }) => below)),
      Math.max(100, ...sums.map(({ above }) => above)),
    ])
    .nice(TICKS)
    .range([HEIGHT - BOTTOM, TOP]);
  const lines = y
    .ticks(TICKS)
    .map(
      (value) =>
        html`<line class="plot__line" x1="${LEFT}" x2="${WIDTH}" y1="${px(y(value))}" y2="${px(y(value))}"/><text class="plot__value" x="${LEFT - 8}" y="${px(y(value) + 4)}" text-anchor="end">${formatTick(value)}</text>`,
    );
  const stacks = bars.map(({ tick }, index) => {
    const left = px(x(index) ?? 0);
    const parts = stackOf(series.map(({ values }) => values[index] ?? 0)).map(
      ({ from, to }, part) =>
        to !== from &&
        html`<rect class="plot__bar bar-of-${series[part]?.colour ?? 1}" x="${left}" width="${px(x.bandwidth())}" y="${px(y(Math.max(from, to)))}" height="${px(Math.abs(y(from) - y(to)))}"/>`,
    );
    const under =
      tick !== null &&
      html`<text class="plot__tick" x="${px((x(index) ?? 0) + x.bandwidth() / 2)}" y="${HEIGHT - 8}" text-anchor="middle">${tick}</text>`;
    return html`<g>${parts}${under}</g>`;
  });
  return html`<svg class="plot__drawing" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title">${lines}${stacks}<line class="plot__zero" x1="${LEFT}" x2="${WIDTH}" y1="${px(y(0))}" y2="${px(y(0))}"/></svg>`;
}

function tableOf({ title, ofBars, bars, series, format, words }: BarPlot): Html {
  const rows = bars.map(({ name }, index) => {
    const values = series.map((each) => each.values[index] ?? 0);
    const total = values.reduce((sum, value) => sum + value, 0);
    return [name, ...[...values, total].map((value) => html`<span class="amount">${format(value)}</span>`)];
  });
  const amounts = [...series.map(({ name }) => name), words.total];
  const headings = [ofBars, ...amounts.map((name) => html`<span class="amount">${name}</span>`)];
  return html`<details class="plot__table"><summary class="folds">${words.table}</summary>
${table({ caption: title, headings, rows, empty: '' })}</details>`;
}

/** Where each value's bar starts and ends: positive values stack upwards, negative ones downwards. */
function stackOf(values: readonly number[]): { readonly from: number; readonly to: number }[] {
  let above = 0;
  let below = 0;
  return values.map((value) => {
    const from = value >= 0 ? above : below;
    if (value >= 0) above += value;
    else below += value;
    return { from, to: from + value };
  });
}

function endsOf(values: readonly number[]): { readonly above: number; readonly below: number } {
  const ends = stackOf(values).map(({ to }) => to);
  return { above: Math.max(0, ...ends), below: Math.min(0, ...ends) };
}

/** A tenth of a unit is invisible, and long numbers make pages large. */
function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
