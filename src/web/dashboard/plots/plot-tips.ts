import { type Html, html } from '../../frame/html.ts';
import type { BarPlot } from './plot.ts';

/**
 * The values of each bar, shown while a pointer is over it or the keyboard has chosen it. The bars are radio buttons, because then
 * the browser itself makes a plot one stop of the Tab key and moves from bar to bar by the arrow keys, without a script.
 */
export function plotTips(plot: BarPlot): Html {
  const { id, title, bars, words } = plot;
  return html`<fieldset class="plot__hits"><legend class="visually-hidden">${title}: ${words.choose}</legend>
${bars.map((_, index) => hit(plot, `${id}-bar`, index))}</fieldset>`;
}

function hit({ bars, series, format, words }: BarPlot, group: string, index: number): Html {
  const name = bars[index]?.name ?? '';
  const values = series.map(({ name: of, colour, values: all }) => ({ of, colour, value: all[index] ?? 0 }));
  const some = values.filter(({ value }) => value !== 0);
  const total = format(values.reduce((sum, { value }) => sum + value, 0));
  const text = [
    name,
    ...some.map(({ of, value }) => `${of} ${format(value)}`),
    `${words.total} ${total}`,
  ].join(', ');
  const rows = some.map(
    ({ of, colour, value }) =>
      html`<span class="plot__tip-row bar-of-${colour}"><span>${of}</span><span>${format(value)}</span></span>`,
  );
  // A tip near the end opens to the left, so that it stays on the page.
  const isLate = index >= bars.length / 2;
  return html`<label class="plot__hit${isLate && html` plot__hit--late`}"><input type="radio" name="${group}" aria-label="${text}"><span class="plot__tip" aria-hidden="true"><strong>${name}</strong>${rows}<span class="plot__tip-row"><span>${words.total}</span><span>${total}</span></span></span></label>\n`;
}
