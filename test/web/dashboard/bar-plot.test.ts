import { expect, it } from '@jest/globals';
import { renderBarPlot } from '../../../src/web/dashboard/plots/bar-plot.ts';

const plotOf = (values: readonly number[]) =>
  renderBarPlot({
    id: 'paid',
    title: 'Paid per day',
    ofBars: 'Day',
    bars: values.map((_, index) => ({ name: `${index + 1} Nov`, tick: null })),
    series: [{ name: 'Pix', colour: 1, values }],
    format: String,
    formatTick: String,
    words: { table: 'Show as a table', total: 'total', choose: 'arrow keys', empty: 'Nothing was paid.' },
  }).markup;

it('says that there is nothing instead of drawing an axis without bars', () => {
  for (const values of [[], [0, 0]]) {
    const plot = plotOf(values);
    expect(plot).toContain('Paid per day');
    expect(plot).toContain('Nothing was paid.');
    expect(plot).not.toMatch(/<svg|<table|<input/);
  }
});

it('draws bars above or below the line when there is a value', () => {
  for (const values of [[0, 5], [-5]]) {
    const plot = plotOf(values);
    expect(plot).toContain('<rect class="plot__bar bar-of-1"');
    expect(plot).not.toContain('Nothing was paid.');
  }
});
